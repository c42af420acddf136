internal import System

extension MassUnit {
    /// Reads a weight with its unit, such as `50lb` or `23 kg`, as tags have it in a text.
    ///
    /// - Parameter text: The text.
    /// - Returns: The weight in pounds, as a tag with that text has it.
    /// - Throws: ``TagError``, whose message says what cannot be understood.
    public static func pounds(in text: String) throws(TagError) -> Float {
        Float(try exactPounds(in: text)) + 0
    }

    /// The same, before it is rounded to what is kept.
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
