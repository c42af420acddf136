internal import SystemSupport

/// A hidden folder for temporary files, one of which is later moved to its place.
///
/// It is removed with this value, together with its files, or when a signal ends the program.
package struct ScratchFolder: ~Copyable {
    private let place: AtomicPlace

    /// Makes one beside a place.
    ///
    /// - Parameter path: The place.
    /// - Throws: `Failure` if nothing can be written there.
    package init(beside path: String) throws {
        place = try AtomicPlace(
            .privateFolder,
            beside: path.absolute,
            failing: "\(path) cannot be written"
        )
    }

    /// Passes the path of the folder, which exists until this returns.
    package borrowing func use<Result>(_ body: (String) throws -> Result) rethrows -> Result {
        try body(place.temporary)
    }
}
