internal import Foundation

/// A hidden folder for what is made of several files before one of them is moved to its place.
///
/// It goes with this value, with the files that are in it, or when a signal ends the program.
package struct ScratchFolder: ~Copyable {
    private let place: AtomicPlace

    /// Makes one beside a place.
    ///
    /// - Parameter path: The place.
    /// - Throws: `Failure` where nothing can be written there.
    package init(beside path: String) throws {
        place = try AtomicPlace(
            .privateFolder,
            beside: URL(fileURLWithPath: path).path,
            failing: "\(path) cannot be written"
        )
    }

    /// Gives the path of the folder, which is there until this returns.
    package borrowing func use<Result>(_ body: (String) throws -> Result) rethrows -> Result {
        try body(place.temporary)
    }
}
