internal import SystemSupport

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
