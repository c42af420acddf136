public import Foundation
internal import System
public import TagReading

/// A picture that was read: everything that is needed to file it.
public struct PictureScan: Sendable {
    /// The name of the file as it was given.
    public var name: String

    /// The SHA-256 of the file, in hexadecimal; nil where the file could not be read.
    ///
    /// Of a file that is longer than a picture may be, it is that of its beginning and its length.
    public var digest: String?

    /// What was read, or why nothing could be.
    public var reading: Result<Reading, ReadError>

    /// Where the bags in it are.
    public var point: Point

    /// What that point is, where it is not built in; nil where nobody knows.
    public var role: Point.Role?

    /// The name of the station that files it, in its composed form.
    public let station: String

    /// When the bags were there.
    public var date: Date

    /// When they are said to have been there, where that was before any bag was anywhere.
    var implausibleDate: Date?

    /// Describes a picture that was read.
    ///
    /// - Parameters:
    ///   - name: The name of the file as it was given.
    ///   - digest: The SHA-256 of the file, in hexadecimal.
    ///   - reading: What was read, or why nothing could be.
    ///   - point: Where the bags in it are.
    ///   - role: What that point is, where it is not built in.
    ///   - station: The name of the station; without one, the name of the point.
    ///   - date: When the bags were there.
    public init(
        name: String,
        digest: String?,
        reading: Result<Reading, ReadError>,
        point: Point,
        role: Point.Role? = nil,
        station: String? = nil,
        date: Date
    ) {
        self.name = name
        self.digest = digest
        self.reading = reading
        self.point = point
        self.role = role
        self.station = (station ?? point.rawValue).composed
        self.date = date
    }

    /// Reads a picture.
    ///
    /// Its digest and its reading are of the same bytes: a picture that is changed meanwhile counts
    /// as not read.
    ///
    /// - Parameters:
    ///   - image: The picture.
    ///   - reader: What reads it.
    ///   - limits: What it may cost; of a longer file only as much is hashed.
    ///   - point: Where the bags in it are.
    ///   - role: What that point is, where it is not built in.
    ///   - station: The name of the station; without one, the name of the point.
    ///   - date: When the bags were there.
    public init(
        _ image: TagImage,
        reader: some TagReader,
        limits: ReadLimits = .default,
        at point: Point,
        as role: Point.Role? = nil,
        station: String? = nil,
        date: Date
    ) async {
        var digest: String?
        let reading: Result<Reading, ReadError>
        do throws(ReadError) {
            digest = try await image.digest(within: limits)
            let read = try await reader.read(image)
            try image.checkUnchanged()
            reading = .success(read)
        } catch {
            reading = .failure(error)
        }
        self.init(
            name: image.name,
            digest: digest,
            reading: reading,
            point: point,
            role: role,
            station: station,
            date: date
        )
    }

    /// The name of the file without its folder.
    var fileName: String {
        name.split(separator: "/").last.map(String.init) ?? name
    }
}

extension TagImage {
    /// Of so many bytes, a file is read and hashed in a moment.
    private static var smallFile: Int { 1 << 16 }

    /// The SHA-256 of the picture's file, in hexadecimal.
    ///
    /// - Returns: 64 hexadecimal digits.
    /// - Throws: `ReadError` with the code `inputFailed` where the file cannot be read.
    public func digest() async throws(ReadError) -> String {
        // To hand a small one to another thread would take longer.
        if byteCount <= Self.smallFile { return try digestNow(while: ()) { _, _ in }.digest }
        let result: Result<String, ReadError> = await PictureWork.run {
            Result { () throws(ReadError) in try self.digestNow(while: ()) { _, _ in }.digest }
        }
        return try result.get()
    }

    /// What tells the picture's content from others, at the cost of reading a picture at most.
    ///
    /// - Parameter limits: How long a picture may be.
    /// - Returns: The SHA-256 of the file, in hexadecimal; of a longer file, that of as much of its
    ///   beginning, followed by its length in decimal digits.
    /// - Throws: `ReadError` with the code `inputFailed` where the file cannot be read.
    package func digest(within limits: ReadLimits) async throws(ReadError) -> String {
        let result: Result<String, ReadError> = await PictureWork.run {
            Result { () throws(ReadError) in try self.digestNow(within: limits) }
        }
        return try result.get()
    }

    /// The same; it waits for the disk, and so is ``PictureWork``.
    ///
    /// - Parameter limits: How long a picture may be.
    /// - Returns: 64 hexadecimal digits.
    /// - Throws: `ReadError` with the code `inputFailed` where the file cannot be read.
    package func digestNow(within limits: ReadLimits) throws(ReadError) -> String {
        if byteCount <= limits.fileBytes { return try digestNow(while: ()) { _, _ in }.digest }
        var hash = SHA256()
        try forEachChunk(upTo: limits.fileBytes) { hash.update($0) }
        hash.update(String(byteCount).utf8)
        return hash.finalize().hexadecimal
    }

    /// The SHA-256 of the picture's file, and what else is learnt from the same bytes.
    ///
    /// It waits for the disk, and so is ``PictureWork``.
    ///
    /// - Parameters:
    ///   - state: What is known before the first byte.
    ///   - update: Goes on with the next bytes; it must not keep them.
    /// - Returns: 64 hexadecimal digits, and what is known after the last byte.
    /// - Throws: `ReadError` with the code `inputFailed` where the file cannot be read.
    package func digestNow<State>(
        while state: State,
        _ update: (inout State, ArraySlice<UInt8>) -> Void
    ) throws(ReadError) -> (digest: String, state: State) {
        var hash = SHA256()
        var state = state
        try forEachChunk { chunk in
            hash.update(chunk)
            update(&state, chunk)
        }
        return (hash.finalize().hexadecimal, state)
    }
}
