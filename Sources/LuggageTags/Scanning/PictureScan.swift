internal import Crypto
public import Foundation
public import TagReading

/// A picture that was read: everything that is needed to file it.
public struct PictureScan: Sendable {
    /// The name of the file as it was given.
    public var name: String

    /// The SHA-256 of the file, in hexadecimal.
    public var digest: String

    /// What was read, or why nothing could be.
    public var reading: Result<Reading, ReadError>

    /// Where the bags in it are.
    public var point: Point

    /// The name of the station that files it.
    public var station: String

    /// When the bags were there, never later than the moment of filing.
    public var date: Date

    /// Describes a picture that was read.
    ///
    /// - Parameters:
    ///   - name: The name of the file as it was given.
    ///   - digest: The SHA-256 of the file, in hexadecimal.
    ///   - reading: What was read, or why nothing could be.
    ///   - point: Where the bags in it are.
    ///   - station: The name of the station; without one, the name of the point.
    ///   - date: When the bags were there.
    public init(
        name: String,
        digest: String,
        reading: Result<Reading, ReadError>,
        point: Point,
        station: String? = nil,
        date: Date
    ) {
        self.name = name
        self.digest = digest
        self.reading = reading
        self.point = point
        self.station = station ?? point.rawValue
        self.date = date
    }
}

extension PictureScan {
    /// The name of the file without its folder.
    var fileName: String {
        name.split(separator: "/").last.map(String.init) ?? name
    }
}

extension TagImage {
    /// The SHA-256 of the picture's file, in hexadecimal.
    ///
    /// - Returns: 64 hexadecimal digits.
    /// - Throws: `ReadError` with the code `inputFailed` where the file cannot be read.
    public func digest() throws(ReadError) -> String {
        var hash = SHA256()
        try forEachChunk { hash.update(data: $0) }
        return hash.finalize().map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }.joined()
    }
}
