/// A state of a store, to tell whether another one is the same.
package struct StoreState: Hashable, Sendable {
    /// Who sees the state: the numbers of two viewers say nothing of one another.
    private let viewer: Int
    private let number: UInt32

    /// Describes a state.
    package init(viewer: Int, number: UInt32) {
        self.viewer = viewer
        self.number = number
    }
}

/// A reading of a store that can tell which state it sees.
package protocol StateReading: StoreReading {
    /// The state, whoever has written it; nil if it has changes that are not committed.
    var state: StoreState? { get }
}
