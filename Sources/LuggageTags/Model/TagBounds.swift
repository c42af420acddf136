public import Foundation

/// What can be true of bags here: what is beyond is a mistake of a printer or a clock, not a bag's.
public struct TagBounds: Hashable, Sendable {
    /// The earliest time at which a bag can have been anywhere.
    public var earliest: Date
    /// What the heaviest bag can weigh, in pounds.
    public var heaviest: Float

    /// Bounds time and weight.
    ///
    /// - Parameters:
    ///   - earliest: The earliest time at which a bag can have been anywhere.
    ///   - heaviest: What the heaviest bag can weigh, in pounds.
    public init(earliest: Date, heaviest: Float) {
        self.earliest = earliest
        self.heaviest = heaviest
    }

    /// No bounds but those of the model.
    public static let none = Self(earliest: .distantPast, heaviest: .infinity)

    /// What the programs take where nobody sets anything else.
    ///
    /// From 2001 on: clocks that were never set begin at 1970, 1980 or 2000. Up to 1000 lb, some 450 kg:
    /// more than anybody checks in.
    public static let usual = Self(
        earliest: Date(timeIntervalSinceReferenceDate: 0),
        heaviest: 1000
    )
}

extension TagBounds {
    /// Refuses a weight that no bag has.
    func check(pounds: Float, in source: PayloadSource? = nil) throws(TagError) {
        if pounds > heaviest { throw TagError(weight: pounds, above: heaviest, in: source) }
    }

    /// Refuses a weight that no bag has, before it is rounded to what is kept.
    ///
    /// - Parameter pounds: The weight.
    /// - Throws: ``TagError``.
    package func check(exactPounds pounds: Double) throws(TagError) {
        // The bound as somebody wrote it, in whichever unit.
        let bounds = MassUnit.allCases.map { $0.pounds($0.amount(ofPounds: heaviest)) }
        if bounds.allSatisfy({ pounds > $0 }) { throw TagError(weight: pounds, above: heaviest) }
    }

    /// Refuses a time at which no bag was anywhere.
    ///
    /// - Parameters:
    ///   - date: The time.
    ///   - path: Where it stands.
    /// - Throws: ``TagError``.
    func check(_ date: Date, at path: [String]) throws(TagError) {
        guard date < earliest else { return }
        let day = Moment(earliest).text.prefix(10)
        throw TagError(
            .domain,
            .tooEarly,
            at: path,
            "\(Moment(date).text) is before \(day), and no bag was anywhere then; some clock was not set"
        )
    }
}
