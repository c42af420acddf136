public import FoundationEssentials

/// A baggage source message (BSM): the bags that a passenger has checked in for a flight.
///
/// It follows IATA's Recommended Practice 1745. Of the passenger, only the initial and the beginning of the
/// family name are kept.
public struct BaggageSourceMessage: Hashable, Sendable {
    /// What the message does to a list of expected bags.
    public enum Change: String, Hashable, Sendable {
        /// The bags are to be expected.
        case add = "ADD"
        /// What was said of these bags before is replaced.
        case replace = "CHG"
        /// The bags are not to be expected any more.
        case remove = "DEL"
    }

    /// Where bags come from.
    public enum Source: Character, Hashable, Sendable {
        /// They are checked in at the airport.
        case local = "L"
        /// They come there with another flight.
        case transfer = "T"
        /// They are checked in elsewhere, such as at a hotel.
        case remote = "R"
        /// They end their way there.
        case terminating = "X"
    }

    /// What it does.
    public var change: Change
    /// The airport at which the bags are.
    public var airport: String
    /// Where they come from.
    public var source: Source
    /// The flight that they are to leave with; nil if they end their way here.
    public var flight: MessageFlight?
    /// The flights after that one, in order.
    public var onward: [MessageFlight]
    /// The flight that they come with, if the message tells it.
    public var inbound: MessageFlight?
    /// The plates of the bags.
    public var plates: [LicencePlate]
    /// Whether they may be loaded; nil if the message does not tell.
    public var mayBeLoaded: Bool?
    /// The number of bags that the passenger has checked in, if the message tells it.
    public var pieces: Int?
    /// The weight of all of them together in pounds, if the message tells it.
    public var weight: Float?
    /// The passenger.
    public var owner: PassengerName?

    static let kind = "BSM"

    /// More bags than a message can name.
    private static let mostBags = 999

    /// Reads the messages in a file, in order.
    ///
    /// - Parameter bytes: The file. What is outside of messages is passed over.
    /// - Returns: Each message, or what is wrong with it; a message of another kind counts as wrong.
    public static func messages(
        in bytes: [UInt8]
    ) -> [Result<BaggageSourceMessage, MessageFlaw>] {
        MessageElements.messages(in: bytes).map { message in
            Result { () throws(MessageFlaw) in try BaggageSourceMessage(message.get()) }
        }
    }

    init(_ message: MessageElements) throws(MessageFlaw) {
        guard message.kind == Self.kind else {
            throw MessageFlaw(
                "a \(message.kind), and only a \(Self.kind) tells which bags are expected",
                at: message.line
            )
        }
        func one(_ letter: Character) throws(MessageFlaw) -> MessageElements.Element? {
            let all = message.all(letter)
            if all.count > 1 { throw MessageFlaw(".\(letter) is there twice", at: all[1].line) }
            return all.first
        }
        change = message.change.flatMap(Change.init) ?? .add
        guard let version = try one("V") else {
            throw MessageFlaw("the message has no .V with its airport", at: message.line)
        }
        let place = Array(version.field(0) ?? "")
        guard place.count == 5, place[0] == "1", let source = Source(rawValue: place[1]),
            String(place[2...]).isAirport
        else {
            throw MessageFlaw(
                "version 1, a letter and an airport are expected, as 1LOSL",
                at: version.line
            )
        }
        (airport, self.source) = (String(place[2...]), source)
        flight = try one("F").map { (element) throws(MessageFlaw) in try MessageFlight(element) }
        inbound = try one("I").map { (element) throws(MessageFlaw) in try MessageFlight(element) }
        onward = try message.all("O").map { (element) throws(MessageFlaw) in
            try MessageFlight(element)
        }
        plates = try Self.plates(in: message)
        mayBeLoaded = try Self.mayBeLoaded(one("S"))
        (pieces, weight) = try Self.weight(one("W"))
        owner = try one("P").flatMap { PassengerName(ofPass: $0.passenger) }
    }

    private static func plates(
        in message: MessageElements
    ) throws(MessageFlaw) -> [LicencePlate] {
        var plates: [LicencePlate] = []
        for element in message.all("N") {
            guard let run = LicencePlate.run((element.field(0) ?? "").utf8) else {
                throw MessageFlaw(
                    "a licence plate of ten digits and a number of bags in three are expected",
                    at: element.line
                )
            }
            plates += run
            if plates.contains(.notRead) {
                throw MessageFlaw("ten zeros are no licence plate", at: element.line)
            }
            if plates.count > mostBags {
                throw MessageFlaw("it has more than \(mostBags) bags", at: element.line)
            }
        }
        if Set(plates).count < plates.count {
            throw MessageFlaw("a bag is named twice", at: message.line)
        }
        if plates.isEmpty { throw MessageFlaw("the message names no bag", at: message.line) }
        return plates
    }

    private static func mayBeLoaded(
        _ element: MessageElements.Element?
    ) throws(MessageFlaw) -> Bool? {
        switch element?.field(0) {
        case nil: return nil
        case "Y": return true
        case "N": return false
        default:
            throw MessageFlaw(
                "Y or N is expected, for the authority to load",
                at: element?.line ?? 0
            )
        }
    }

    private static func weight(
        _ element: MessageElements.Element?
    ) throws(MessageFlaw) -> (pieces: Int?, pounds: Float?) {
        guard let element else { return (nil, nil) }
        func number(_ place: Int) throws(MessageFlaw) -> Int? {
            guard let text = element.field(place) else { return nil }
            guard text.utf8.count <= 4, let number = DecimalNumber.value(ofDigits: text.utf8) else {
                throw MessageFlaw("'\(text)' is no number of bags, and no weight", at: element.line)
            }
            return Int(number)
        }
        let unit: MassUnit? =
            switch element.field(0) {
            case "K": .kilograms
            case "L": .pounds
            case "P": nil
            default: throw MessageFlaw("K, L or P is expected, for the unit", at: element.line)
            }
        let (pieces, weight) = (try number(1), try number(2))
        return (pieces, unit.flatMap { unit in weight.map { Float(unit.pounds(Double($0))) } })
    }
}

extension MessageElements.Element {
    /// The name of the first passenger in an element such as `.P/2SMITH/JOHNMR/JANEMRS`.
    fileprivate var passenger: String {
        let family = (field(0) ?? "").drop { $0.isNumber }
        return "\(family)/\(field(1) ?? "")"
    }
}

extension BaggageSourceMessage {
    /// What a tag of each bag would say, if it said what the message does: owner, route, flight and day.
    ///
    /// A weight is not among it: the message has only that of all bags together, unless there is only one.
    ///
    /// - Parameter date: When the message was sent or read, by which the year of the flight is found.
    /// - Returns: Payloads that a ``TagDecoder`` decodes, in the order of ``plates``.
    /// - Throws: `EncodingError`.
    public func tags(readAt date: Date) throws -> [[UInt8]] {
        try plates.map { plate in
            try LabelContents(
                id: plate.identifier,
                owner: owner,
                weight: plates.count == 1 && pieces ?? 1 == 1 ? weight : nil,
                from: airport,
                to: (onward.last ?? flight)?.airport,
                trip: flight?.name,
                date: flight?.day(nearest: date)
            ).tag
        }
    }
}
