internal import FoundationEssentials
internal import Glibc
internal import SystemSupport

/// A file that is written as a whole or not at all.
///
/// It is written beside its place under another name, and moved there when it is durable. Until then
/// an existing file stays.
package struct AtomicFile: ~Copyable {
    private var place: AtomicPlace
    private let replaces: Bool

    /// Begins to write.
    ///
    /// - Parameters:
    ///   - path: The place.
    ///   - replaces: Whether a file that is there may be replaced.
    /// - Throws: `Failure` if nothing can be written there.
    package init(path: String, replaces: Bool) throws {
        let place = path.behindLinks
        // Not at its place: a link to a pipe without a name leads to no path.
        let earlier = FileStatus(at: path)
        if path.utf8.last == UInt8(ascii: "/") {
            throw Failure(.cannotCreate, "\(path) is the name of a folder; name a file")
        }
        if let status = earlier {
            guard status.kind == .file else {
                throw Failure(
                    .cannotCreate,
                    "\(path) is not a regular file; name another file, or write to standard output"
                )
            }
            if !replaces { throw Self.exists(path) }
            try Self.refuseDatabase(path, place)
        }
        if place.isLink {
            throw Failure(
                .cannotCreate,
                "\(path) is a link that cannot be followed; name the file that it leads to"
            )
        }
        // Who could not read the file before must not read the one in its place, not even while it is written.
        self.place = try AtomicPlace(
            earlier == nil ? .file : .privateFile,
            beside: place,
            failing: "\(path) cannot be written"
        )
        self.replaces = replaces
        earlier?.share(self.place.descriptor)
    }

    /// Appends bytes.
    package func write(_ bytes: [UInt8]) throws {
        let number = bytes.writeAll(to: place.descriptor)
        if number != 0 { throw failure(number) }
    }

    /// Makes the file durable and moves it to its place.
    package mutating func finish() throws {
        if fsync(place.descriptor) != 0 { throw failure(errno) }
        // If it may not replace a file, this fails if someone was quicker.
        let number = place.temporary.move(to: place.path, replacing: replaces)
        if number == EEXIST && !replaces { throw Self.exists(place.path) }
        if number != 0 { throw failure(number) }
        place.settle()
    }

    private func failure(_ number: Int32) -> Failure {
        Failure(.ioFailed, "\(place.path) cannot be written: \(describe(errorNumber: number))")
    }

    /// Refuses a database that a program has open, or in whose logs there are saves that would be lost.
    private static func refuseDatabase(_ path: String, _ place: String) throws {
        // A log is there while it is open, even an empty one; a journal may stay when it is done.
        let used = [("-wal", 0), ("-journal", 1)].first { suffix, least in
            FileStatus(at: place + suffix).map { $0.byteCount >= least } ?? false
        }
        guard let log = used.map({ place + $0.0 }) else { return }
        throw Failure(
            .cannotCreate,
            "\(path) is a database in use, since \(log) is beside it; name another file"
        )
    }

    private static func exists(_ path: String) -> Failure {
        Failure(
            .cannotCreate,
            "\(path) is there already; choose another name, or replace it with --force"
        )
    }
}
