internal import FoundationEssentials

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

    // Otherwise each check looks up the types that it makes.
    #if compiler(>=6.3)
    @specialized(where Value == Date)
    @specialized(where Value == Double)
    @specialized(where Value == Float)
    @specialized(where Value == Int)
    @specialized(where Value == String)
    @specialized(where Value == UUID)
    #endif
    static func violations(of rules: [Self]) -> @Sendable (AttributeValue) -> [String]? {
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
            guard let value = Value(stored: stored) else { return nil }
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
    /// It is one of Swift's `Regex`, matched by Unicode scalars; `\d` stands for the digits of ASCII.
    ///
    /// - Parameters:
    ///   - pattern: The expression; one that `Regex` does not know causes a ``ModelError``.
    ///   - meaning: Its meaning, which follows "must be": `an airport's three letters`.
    /// - Returns: The rule.
    public static func pattern(_ pattern: String, meaning: String) -> Self {
        // An expression never changes; only what is put together in Swift may hold values that are not Sendable.
        nonisolated(unsafe) let expression: Regex<AnyRegexOutput>
        do {
            let parsed = try Regex(pattern).matchingSemantics(.unicodeScalar).asciiOnlyDigits()
            // Some are understood, and fail as soon as they are used.
            _ = try parsed.wholeMatch(in: "")
            unsafe expression = parsed
        } catch {
            return ValidationRule(problem: "\"\(pattern)\" is not a regular expression")
        }
        return ValidationRule { text in
            let match = try? unsafe expression.wholeMatch(in: text)
            return match == nil ? "must be \(meaning)" : nil
        }
    }
}
