internal import FoundationEssentials
internal import SystemSupport

/// A unit of weight that tags use.
public enum MassUnit: String, CaseIterable, Codable, Hashable, Sendable {
    /// The international avoirdupois pound.
    case pounds = "lb"
    case kilograms = "kg"

    /// One pound in kilograms, exactly: the international agreement of 1959.
    public static let kilogramsPerPound = 0.45359237

    /// Reads a unit as tags spell it: `lb`, `lbs` or `kg`, in any case.
    init?(spelling: String) {
        // Only ASCII letters are folded: lower-casing the kelvin sign would also give a small k.
        let letters = FormKey(spelling).folded
        if letters.elementsEqual("lb".utf8) || letters.elementsEqual("lbs".utf8) {
            self = .pounds
        } else if letters.elementsEqual("kg".utf8) {
            self = .kilograms
        } else {
            return nil
        }
    }

    /// The greatest weight, in pounds, that a person may give to a bag, or print on a tag.
    ///
    /// Nobody carries more, and it has few enough digits for every list. Tags in pictures have other
    /// limits.
    public static let mostPounds: Float = 99_999

    func pounds(_ amount: Double) -> Double {
        self == .pounds ? amount : amount / Self.kilogramsPerPound
    }

    /// The amount with the fewest digits that converts back to the same pounds.
    func amount(ofPounds pounds: Float) -> Double {
        if self == .pounds { return Double("\(pounds)") ?? Double(pounds) }
        let exact = Double(pounds) * Self.kilogramsPerPound
        for digits in 1...17 {
            if let amount = Double(exact.text(digits: digits)),
                Float(self.pounds(amount)) == pounds
            {
                return amount
            }
        }
        return exact
    }
}

extension MassUnit: Form {
    static var expectation: String { "the text \"kg\" or \"lb\"" }

    /// Decodes a unit as tags spell it.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let unit = Self(spelling: text) else {
            throw Refusal.expected(Self.expectation, found: "the text \(text.quoted)")
                .error(at: decoder.codingPath)
        }
        self = unit
    }
}

extension MassUnit {
    /// Reads a weight with its unit, such as `50lb` or `23 kg`, as tags have it in a text.
    ///
    /// - Parameter text: The text.
    /// - Returns: The weight in pounds, the same as from a tag with that text.
    /// - Throws: ``TagError``, whose message tells what is wrong with the text.
    public static func pounds(in text: String) throws(TagError) -> Float {
        Float(try exactPounds(in: text)) + 0
    }

    /// Reads it without rounding it to single precision.
    package static func exactPounds(in text: String) throws(TagError) -> Double {
        do {
            guard let weight = try WeightText(text, at: []) else {
                throw Refusal.expected(
                    "a weight like \"50lb\" or \"23kg\"",
                    found: "the text \(text.quoted)"
                ).error(at: [])
            }
            return weight.unit.pounds(weight.amount)
        } catch let error as DecodingError {
            guard case .dataCorrupted(let context) = error,
                let refusal = context.underlyingError as? Refusal
            else { throw TagError(.typed, .notDecodable, "\(error)") }
            throw TagError(.typed, refusal.code, refusal.description)
        } catch {
            throw TagError(.typed, .notDecodable, "\(error)")
        }
    }

    /// An amount of pounds in this unit.
    public func amount(of pounds: Float) -> Double {
        self == .pounds ? Double(pounds) : Double(pounds) * Self.kilogramsPerPound
    }
}

extension String {
    /// A number with a comma for its decimals, with a point for them.
    ///
    /// Three digits behind a comma may as well be thousands, so they stay as they are, and are refused.
    package var withDecimalPoint: String {
        let pattern = /(\d+),(\d{1,2})(\D*)/.asciiOnlyDigits()
        guard let match = wholeMatch(of: pattern) else { return self }
        return "\(match.1).\(match.2)\(match.3)"
    }
}
