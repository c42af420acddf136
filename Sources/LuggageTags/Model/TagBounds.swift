public import FoundationEssentials

/// The earliest time and the greatest weight to believe; beyond them a printer or a clock is wrong.
public struct TagBounds: Hashable, Sendable {
    /// The earliest time at which a bag can have been anywhere.
    public var earliest: Date
    /// The weight of the heaviest possible bag, in pounds.
    public var heaviest: Float

    /// Bounds time and weight.
    ///
    /// - Parameters:
    ///   - earliest: The earliest time at which a bag can have been anywhere.
    ///   - heaviest: The weight of the heaviest possible bag, in pounds.
    public init(earliest: Date, heaviest: Float) {
        self.earliest = earliest
        self.heaviest = heaviest
    }

    /// No bounds except those of the model.
    public static let none = Self(earliest: .distantPast, heaviest: .infinity)

    /// The bounds that the programs use by default.
    ///
    /// From 2001 on: clocks that were never set begin at 1970, 1980 or 2000. Up to 1000 lb, some 450 kg:
    /// nobody checks in more.
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

    /// Refuses a weight that no bag has, before the weight is rounded.
    ///
    /// - Parameter pounds: The weight.
    /// - Throws: ``TagError``.
    package func check(exactPounds pounds: Double) throws(TagError) {
        // The bound may have been written in any unit.
        let bounds = MassUnit.allCases.map { $0.pounds($0.amount(ofPounds: heaviest)) }
        if bounds.allSatisfy({ pounds > $0 }) { throw TagError(weight: pounds, above: heaviest) }
    }

    /// Refuses a time before any bag can have been anywhere.
    func check(_ date: Date, at path: [String]) throws(TagError) {
        guard date < earliest else { return }
        let day = Moment(earliest).text.prefix(10)
        throw TagError(
            .domain,
            .tooEarly,
            at: path,
            "\(Moment(date).text) is before \(day), the earliest time that counts as true; set "
                + "the clock that gave it"
        )
    }
}
