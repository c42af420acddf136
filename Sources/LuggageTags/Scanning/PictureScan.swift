public import Foundation
internal import SystemSupport
public import TagReading

/// A picture that was read, with everything needed to file it.
public struct PictureScan: Sendable {
    /// The name of the file as it was given.
    public var name: String

    /// The SHA-256 of the file, in hexadecimal; nil if the file could not be read.
    ///
    /// For a file longer than the limit for pictures, it is the SHA-256 of its beginning and its length.
    public var digest: String?

    /// The symbols that the reader found, or the error that stopped it.
    public var reading: Result<Reading, ReadError>

    /// The point at which the bags are.
    public var point: Point

    /// The role of the point if the point is not built in; nil if nobody knows it.
    public var role: Point.Role?

    /// The name of the station that files it, in its composed form.
    public let station: String

    /// The time at which the bags were there.
    public var date: Date

    /// The time that the picture gave, if it is too early to be true.
    var implausibleDate: Date?

    /// Describes a picture that was read.
    ///
    /// - Parameters:
    ///   - name: The name of the file as it was given.
    ///   - digest: The SHA-256 of the file, in hexadecimal.
    ///   - reading: The symbols that the reader found, or the error that stopped it.
    ///   - point: The point at which the bags are.
    ///   - role: The role of the point if the point is not built in.
    ///   - station: The name of the station; if nil, the name of the point.
    ///   - date: The time at which the bags were there.
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
    /// Its digest and its reading are of the same bytes: if the file changes meanwhile, the reading is an
    /// error.
    ///
    /// - Parameters:
    ///   - image: The picture.
    ///   - reader: The reader.
    ///   - limits: The limits of the reading; of a longer file only that many bytes are hashed.
    ///   - point: The point at which the bags are.
    ///   - role: The role of the point if the point is not built in.
    ///   - station: The name of the station; if nil, the name of the point.
    ///   - date: The time at which the bags were there.
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
            let read = try await RepeatedReading(of: image, by: reader)
            try image.checkUnchanged()
            reading = read.reading
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
    /// The size in bytes up to which reading and hashing a file takes only a moment.
    private static var smallFile: Int { 1 << 16 }

    /// The SHA-256 of the picture's file, in hexadecimal.
    ///
    /// - Returns: 64 hexadecimal digits.
    /// - Throws: `ReadError` with the code `inputFailed` if the file cannot be read.
    public func digest() async throws(ReadError) -> String {
        // Handing a small file to another thread would take longer.
        if byteCount <= Self.smallFile { return try digestNow(while: ()) { _, _ in }.digest }
        let result: Result<String, ReadError> = await PictureWork.run {
            Result { () throws(ReadError) in try self.digestNow(while: ()) { _, _ in }.digest }
        }
        return try result.get()
    }

    /// Identifies the picture's content, and reads at most as many bytes as a picture may have.
    ///
    /// - Parameter limits: The greatest length of a picture.
    /// - Returns: The SHA-256 of the file, in hexadecimal. For a longer file, it is the SHA-256 of its
    ///   beginning up to that length, followed by the file's length in decimal digits.
    /// - Throws: `ReadError` with the code `inputFailed` if the file cannot be read.
    package func digest(within limits: ReadLimits) async throws(ReadError) -> String {
        let result: Result<String, ReadError> = await PictureWork.run {
            Result { () throws(ReadError) in try self.digestNow(within: limits) }
        }
        return try result.get()
    }

    /// The same digest, on the current thread; call it in ``PictureWork``, because it waits for the disk.
    ///
    /// - Parameter limits: The greatest length of a picture.
    /// - Returns: 64 hexadecimal digits.
    /// - Throws: `ReadError` with the code `inputFailed` if the file cannot be read.
    package func digestNow(within limits: ReadLimits) throws(ReadError) -> String {
        if byteCount <= limits.fileBytes { return try digestNow(while: ()) { _, _ in }.digest }
        var hash = SHA256()
        try forEachChunk(upTo: limits.fileBytes) { hash.update($0) }
        hash.update(String(byteCount).utf8)
        return hash.finalize().hexadecimal
    }

    /// Computes the SHA-256 of the picture's file, and a state from the same bytes.
    ///
    /// Call it in ``PictureWork``, because it waits for the disk.
    ///
    /// - Parameters:
    ///   - state: The state before the first byte.
    ///   - update: Updates the state with the next bytes; it must not keep them.
    /// - Returns: 64 hexadecimal digits, and the state after the last byte.
    /// - Throws: `ReadError` with the code `inputFailed` if the file cannot be read.
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
