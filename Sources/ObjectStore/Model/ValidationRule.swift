internal import Foundation

/// A rule that a value must fulfil to be saved.
public struct ValidationRule<Value: AttributeType>: Sendable {
    let violation: @Sendable (Value) -> String?
    /// The mistake in the rule itself; a model with such a rule cannot be made.
    let problem: String?

    /// Makes a rule from a closure.
    ///
    /// The closure is called while a context and its store may be locked, so it must use neither.
    ///
    /// - Parameter violation: Returns the reason why a value breaks the rule, which follows the
    ///   name of the property (`must be at least 0, not -1`), or nil if the value is valid.
    public init(_ violation: @escaping @Sendable (Value) -> String?) {
        self.violation = violation
        problem = nil
    }

    private init(problem: String) {
        violation = { _ in nil }
        self.problem = problem
    }

    static func violations(of rules: [Self]) -> @Sendable (AttributeValue) -> [String] {
        // Nested closures: an array of a generic type takes far longer, and every value of every
        // save passes here.
        let none: @Sendable (Value) -> [String] = { _ in [] }
        let all = rules.reduce(none) { earlier, rule in
            { value in
                guard let reason = rule.violation(value) else { return earlier(value) }
                return earlier(value) + [reason]
            }
        }
        return { stored in
            guard let value = Value(stored: stored) else { return ["has a value of another type"] }
            return all(value)
        }
    }
}

extension ValidationRule where Value: Comparable {
    /// A lower bound.
    public static func minimum(_ bound: Value) -> Self where Value: Sendable {
        ValidationRule { $0 >= bound ? nil : "must be at least \(bound), not \($0)" }
    }

    /// An upper bound.
    public static func maximum(_ bound: Value) -> Self where Value: Sendable {
        ValidationRule { $0 <= bound ? nil : "must be at most \(bound), not \($0)" }
    }
}

extension ValidationRule where Value: BinaryFloatingPoint {
    /// Rejects infinity and NaN.
    public static var finite: Self {
        ValidationRule { $0.isFinite ? nil : "must be a finite number, not \($0)" }
    }
}

extension ValidationRule where Value == String {
    /// A range for the number of characters that a reader counts (extended grapheme clusters).
    public static func length(_ range: ClosedRange<Int>) -> Self {
        ValidationRule { text in
            if range.contains(text.count) { return nil }
            let expected =
                range.count == 1
                ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
            let noun = range.upperBound == 1 ? "character" : "characters"
            let start = text.count > 20 ? "\(text.prefix(20))…" : text
            return "must have \(expected) \(noun), not \(text.count) (\"\(start)\")"
        }
    }

    /// A regular expression that must match the whole text.
    ///
    /// - Parameters:
    ///   - pattern: The expression; a malformed one causes a ``ModelError``.
    ///   - meaning: Its meaning, which follows "must be": `an airport's three letters`.
    /// - Returns: The rule.
    public static func pattern(_ pattern: String, meaning: String) -> Self {
        guard let expression = try? NSRegularExpression(pattern: "^(?:\(pattern))$") else {
            return ValidationRule(problem: "\"\(pattern)\" is not a regular expression")
        }
        return ValidationRule { text in
            let whole = NSRange(text.startIndex..., in: text)
            let match = expression.firstMatch(in: text, options: .anchored, range: whole)
            return match?.range == whole ? nil : "must be \(meaning)"
        }
    }
}
