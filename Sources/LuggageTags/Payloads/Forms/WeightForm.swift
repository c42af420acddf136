/// How a weight is written.
public enum WeightForm: Hashable, Sendable {
    /// A number of pounds: `42.0`.
    case number
    /// A text with the unit: `19.05 kg`.
    case text(MassUnit)
    /// An object with the number and the unit: `{ "value": 19.05, "unit": "kg" }`.
    case object(MassUnit)

    /// Every form.
    public static let allForms: [WeightForm] =
        [.number] + MassUnit.allCases.flatMap { [.text($0), .object($0)] }
}

/// A weight, given in any form.
struct Weight: Form {
    static let expectation = "a number"

    /// In double precision, so that the rules of the model refuse a weight beyond single precision.
    private let doublePounds: Double

    /// The weight in pounds; adding 0 turns minus zero into zero.
    var pounds: Float { Float(doublePounds) + 0 }

    init(pounds: Float) {
        doublePounds = Double(pounds)
    }

    init(exactPounds pounds: Double) {
        doublePounds = pounds
    }

    init(from decoder: any Decoder) throws {
        let amount: Double
        if let number = try decoder.attempt({ try Double(from: decoder) }) {
            amount = number
        } else if let text = try decoder.attempt({ try String(from: decoder) }) {
            guard let weight = try WeightText(text, at: decoder.codingPath) else {
                throw decoder.noForm(of: Self.self)
            }
            amount = weight.unit.pounds(weight.amount)
        } else if let container = try decoder.attempt({
            try decoder.container(keyedBy: FormKey.self)
        }) {
            let unit = try container.decodeStated(MassUnit.self, "unit")
            amount = unit.pounds(try container.decodeStated(Double.self, "value"))
        } else {
            throw decoder.noForm(of: Self.self)
        }
        doublePounds = amount
    }

    func encode(to encoder: any Encoder) throws {
        switch encoder.userInfo[.weightForm] as? WeightForm ?? .number {
        case .number:
            var container = encoder.singleValueContainer()
            try container.encode(pounds)
        case .text(let unit):
            var container = encoder.singleValueContainer()
            try container.encode(WeightText.text(unit.amount(ofPounds: pounds), unit))
        case .object(let unit):
            var container = encoder.container(keyedBy: FormKey.self)
            try container.encode(unit.amount(ofPounds: pounds), forKey: FormKey("value"))
            try container.encode(unit, forKey: FormKey("unit"))
        }
    }

    static func == (a: Self, b: Self) -> Bool { a.pounds == b.pounds }

    /// Whether two weights in pounds are equal except for rounding.
    ///
    /// Tags and scales give tenths of a pound or hundredths of a kilogram. So two statements of one weight
    /// differ by at most half a tenth of a pound: `42.0` and `19.05 kg` are equal. This only tells whether a
    /// tag contradicts the record. The record always has the exact weight of one statement, so it does not
    /// depend on the order of scans.
    static func isSame(_ a: Float, _ b: Float) -> Bool {
        // If the difference is exactly half a tenth, rounding in the last bit must not decide.
        abs(a - b) <= 0.05 + max(a.ulp, b.ulp)
    }

    /// Whether one weight in pounds contradicts another one; a missing weight contradicts nothing.
    static func contradicts(_ told: Float?, _ known: Float?) -> Bool {
        guard let told, let known else { return false }
        return !isSame(told, known)
    }
}

/// A number as a part of a form.
extension Double: Form {
    static var expectation: String { "a number" }
}
