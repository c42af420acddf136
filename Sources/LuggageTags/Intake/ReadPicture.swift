public import FoundationEssentials
internal import SystemSupport
public import TagReading

/// A picture that was read, with everything needed to file it.
public struct ReadPicture: Sendable {
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

    /// The place of that station, in its composed form; nil if it has none.
    public var place: String? {
        didSet { place = place?.composed }
    }

    /// The time at which the bags were there.
    public var date: Date

    /// How often the reader tried.
    package var attempts = 0

    /// The facts about its file if it was dropped into a watched folder; nil otherwise.
    package var file: DroppedFileFacts?

    /// The time that the picture gave, if it is too early to be true.
    var implausibleDate: Date?

    /// Whether a hand scanner read the tag, and there is no picture.
    private(set) var isReceived = false

    /// Why no payload came from the hand scanner; nil if one came.
    private(set) var fault: TagError?

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

    /// Describes what a hand scanner has sent: a tag without a picture.
    ///
    /// - Parameters:
    ///   - frame: The payload, or why there is none.
    ///   - name: A name for it in reports.
    ///   - point: The point at which the bag is.
    ///   - role: The role of the point if the point is not built in.
    ///   - station: The name of the station; if nil, the name of the point.
    ///   - date: The time at which it came.
    package init(
        received frame: PayloadFraming.Frame,
        name: String,
        at point: Point,
        as role: Point.Role? = nil,
        station: String? = nil,
        date: Date
    ) {
        var reading = Reading(symbols: [], width: 0, height: 0, duration: .zero)
        var fault: TagError?
        switch frame {
        case .success(let payload):
            reading.symbols = [Symbol(payload: SymbologyIdentifier.removed(from: payload))]
        case .failure(let error): fault = error
        }
        self.init(
            name: name,
            digest: nil,
            reading: .success(reading),
            point: point,
            role: role,
            station: station,
            date: date
        )
        self.fault = fault
        isReceived = true
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
        let content = await PictureIntake(reader: reader, limits: limits).take(image)
        self.init(
            name: image.name,
            digest: content.digest,
            reading: content.reading,
            point: point,
            role: role,
            station: station,
            date: date
        )
        attempts = content.attempts
    }

    /// The name of the file without its folder; of a tag without a picture, a word in its place.
    var fileName: String {
        if isReceived { return Scan.scannerName }
        return name.split(separator: "/").last.map(String.init) ?? name
    }
}

/// The facts that tell a file in a watched folder from copies of it.
package struct DroppedFileFacts: Hashable, Sendable {
    /// The number of the file in its file system.
    package var number: UInt64
    /// When the file was last modified, in seconds since 1970.
    package var modifiedAt: Double
    /// When the file was moved here or otherwise changed, in seconds since 1970; nil if unknown.
    package var changedAt: Double?
    /// Whether the file has more than one name.
    package var hasOtherNames: Bool

    /// How much too early ``changedAt`` can be, in seconds: the kernel takes it from a clock that is up to a
    /// tick behind, 10 ms at 100 ticks a second, and times of facts are rounded.
    static let greatestLag = 0.011

    /// Gives the facts.
    package init(
        number: UInt64,
        modifiedAt: Double,
        changedAt: Double? = nil,
        hasOtherNames: Bool = false
    ) {
        self.number = number
        self.modifiedAt = modifiedAt
        self.changedAt = changedAt
        self.hasOtherNames = hasOtherNames
    }
}
