/// What is kept of an airline's boarding pass (BCBP, IATA Resolution 792): whose bags go where, and nothing
/// else.
///
/// The pass has the full name of a person, and often the number of a frequent flyer or of a passport's
/// check. None of that is kept, not even while the pass is invalid: see ``Tag``.
struct BoardingPass: Hashable {
    /// One flight.
    struct Leg: Hashable {
        let from: String
        let to: String
        /// The airline and the number, without zeros in front: `AC834`; nil if the pass leaves it open.
        let flight: String?
        /// The day of the year, from 1; nil if the pass leaves it open.
        let day: Int?
    }

    /// The initial and the beginning of the family name; nil if the pass has no given name.
    let owner: PassengerName?
    /// The flights, in order.
    let legs: [Leg]
    /// The plates of the bags.
    let plates: [LicencePlate]

    /// More bags than the number beside a plate can tell.
    fileprivate static let mostBags = 999

    /// The bytes of a pass with one flight and nothing else.
    private static let least = 60

    /// Whether a payload begins as a pass does: with the number of flights, and a name.
    ///
    /// One that is cut off or misprinted is recognised too, so that its name is not kept either.
    static func recognises(_ payload: [UInt8]) -> Bool {
        guard payload.count > 2, payload[0] == UInt8(ascii: "M"),
            (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(payload[1])
        else { return false }
        return payload.count >= least || payload.prefix(22).contains(UInt8(ascii: "/"))
    }

    /// Reads a recognised payload.
    ///
    /// - Throws: ``PayloadFlaw``, which never tells the name.
    init(_ payload: [UInt8]) throws(PayloadFlaw) {
        var fields = Fields(payload)
        _ = try fields.take(1, "the format")
        let count = Int(try fields.take(1, "the number of flights")) ?? 0
        owner = PassengerName(ofPass: try fields.take(20, "the name"))
        _ = try fields.take(1, "the kind of ticket")
        var legs: [Leg] = []
        var plates: [LicencePlate] = []
        for number in 0..<count {
            legs.append(try Leg(&fields))
            let size = try fields.number(2, "the size of a part", radix: 16)
            var part = Fields(
                Array(try fields.take(size, "a part").utf8),
                from: fields.position - size
            )
            if number == 0 { plates = try part.plates() }
        }
        if legs.isEmpty { throw PayloadFlaw("it has no flight", at: 1) }
        // What follows is a signature, which is not checked.
        guard fields.rest.first.map({ $0 == UInt8(ascii: "^") }) ?? true || fields.isBlank else {
            throw PayloadFlaw("something follows its last flight", at: fields.position)
        }
        (self.legs, self.plates) = (legs, plates)
    }
}

extension BoardingPass.Leg {
    fileprivate init(_ fields: inout BoardingPass.Fields) throws(PayloadFlaw) {
        _ = try fields.take(7, "the locator")
        from = try fields.airport("the place of departure")
        to = try fields.airport("the place of arrival")
        let carrier = try fields.word(3, "the airline")
        flight = Flight.name(carrier, try fields.word(5, "the number of the flight"))
        let place = fields.position
        day = try fields.word(3, "the day").map { (text) throws(PayloadFlaw) in
            guard let day = DecimalNumber.value(ofDigits: text.utf8), (1...366).contains(day) else {
                throw PayloadFlaw("the day is none of a year", at: place)
            }
            return Int(day)
        }
        _ = try fields.take(11, "the seat")
    }
}

extension BoardingPass {
    /// The fields of a pass, which have fixed lengths.
    fileprivate struct Fields {
        private(set) var rest: ArraySlice<UInt8>
        private let start: Int

        /// Begins with some bytes.
        ///
        /// - Parameters:
        ///   - bytes: The bytes.
        ///   - start: Where they are in the payload.
        init(_ bytes: [UInt8], from start: Int = 0) {
            (rest, self.start) = (bytes[...], start)
        }

        /// Where the next field is in the payload.
        var position: Int { start + rest.startIndex }

        /// Whether nothing but blanks is left.
        var isBlank: Bool { rest.allSatisfy { $0 == UInt8(ascii: " ") } }

        /// Takes a field of printable ASCII.
        mutating func take(_ count: Int, _ name: String) throws(PayloadFlaw) -> String {
            let field = rest.prefix(count)
            guard field.count == count else {
                throw PayloadFlaw("\(name) ends early", at: position)
            }
            if let place = field.firstIndex(where: { !(0x20...0x7E).contains($0) }) {
                throw PayloadFlaw("\(name) has a character other than ASCII", at: start + place)
            }
            rest = rest.dropFirst(count)
            return String(decoding: field, as: UTF8.self)
        }

        /// Takes a number.
        mutating func number(_ count: Int, _ name: String, radix: Int) throws(PayloadFlaw) -> Int {
            let place = position
            let text = try take(count, name)
            guard text.allSatisfy(\.isHexDigit), let number = Int(text, radix: radix) else {
                throw PayloadFlaw("\(name) is no number", at: place)
            }
            return number
        }

        /// Takes letters and digits with blanks after them; nil if there are only blanks.
        mutating func word(_ count: Int, _ name: String) throws(PayloadFlaw) -> String? {
            let place = position
            let text = try take(count, name)
            let word = text.prefix { $0 != " " }
            guard word.allSatisfy({ $0.isLetter || $0.isNumber }),
                text.dropFirst(word.count).allSatisfy({ $0 == " " })
            else {
                throw PayloadFlaw("\(name) has other characters than letters and digits", at: place)
            }
            return word.isEmpty ? nil : String(word)
        }

        /// Takes the three letters of an airport.
        mutating func airport(_ name: String) throws(PayloadFlaw) -> String {
            let place = position
            let text = try take(3, name)
            guard text.allSatisfy({ $0.isLetter && $0.isUppercase }) else {
                throw PayloadFlaw("\(name) is not three capital letters", at: place)
            }
            return text
        }

        /// Takes the plates from the part that follows the first flight, if it has them.
        mutating func plates() throws(PayloadFlaw) -> [LicencePlate] {
            // Airlines may have a part of their own alone.
            guard rest.first == UInt8(ascii: ">") else { return [] }
            _ = try take(2, "the version")
            let size = try number(2, "the size of a part", radix: 16)
            var part = Fields(Array(try take(size, "a part").utf8), from: position - size)
            // The description of the passenger, where they checked in and got the pass, its day, its kind
            // and who issued it.
            guard part.rest.count > 11 else { return [] }
            _ = try part.take(11, "the check-in")
            var plates: [LicencePlate] = []
            while !part.rest.isEmpty {
                let place = part.position
                let text = try part.take(min(13, part.rest.count), "a licence plate")
                if text.allSatisfy({ $0 == " " }) { continue }
                guard let run = LicencePlate.run(text.utf8) else {
                    throw PayloadFlaw(
                        "a licence plate and a number of bags are expected",
                        at: place
                    )
                }
                if run.contains(.notRead) {
                    throw PayloadFlaw("ten zeros are no licence plate", at: place)
                }
                plates += run
                if plates.count > BoardingPass.mostBags {
                    throw PayloadFlaw("it has more than \(BoardingPass.mostBags) bags", at: place)
                }
            }
            return plates
        }
    }
}

extension LicencePlate {
    /// The plates of ten digits and a number of bags in three, of which at least one; nil if they are none.
    static func run(_ digits: some Collection<UInt8>) -> [LicencePlate]? {
        guard digits.count == 13, let plate = LicencePlate(digits: digits.prefix(10)),
            let count = DecimalNumber.value(ofDigits: digits.dropFirst(10)), count > 0
        else { return nil }
        return plate.run(of: Int(count))
    }
}

/// How airlines write flights.
enum Flight {
    /// The airline and the number, without zeros in front: `AC834`; nil without either.
    static func name(_ carrier: String?, _ number: String?) -> String? {
        guard let carrier, let number else { return nil }
        let digits = number.drop { $0 == "0" }
        return digits.first?.isNumber ?? false ? carrier + digits : nil
    }
}

extension PassengerName {
    /// Reads the name of a pass or a message, the family name first; nil if it has no given name.
    ///
    init?(ofPass text: String) {
        let names = text.split(separator: "/", maxSplits: 1)
        guard names.count == 2, names.allSatisfy({ $0.contains(where: \.isLetter) }) else {
            return nil
        }
        self.init(given: String(names[1]), family: String(names[0]))
    }
}
