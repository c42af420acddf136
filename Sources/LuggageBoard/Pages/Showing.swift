package import FoundationEssentials
package import LuggageTags

/// How everything is shown to one viewer at one moment.
package struct Showing: Sendable {
    /// The texts, in the viewer's language.
    package var words: Words
    /// The unit of weights.
    package var units: MassUnit
    /// After how many seconds a missing bag is overdue.
    package var patience: TimeInterval
    /// The present moment.
    package var date: Date

    func weight(_ pounds: Float?) -> HTML {
        pounds.map { "\($0.text(in: units))" } ?? .none
    }

    /// How long ago a moment is, which the script keeps up to date.
    func age(_ moment: Date) -> HTML {
        let length = words.length(date.timeIntervalSince(moment))
        return "<time datetime=\"\(moment.reportText)\" data-form=\"age\">\(length)</time>"
    }

    /// Whether a bag is missing for longer than usual.
    func isLate(_ bag: LuggageReport) -> Bool {
        bag.missing(at: date).map { $0 > patience } ?? false
    }
}

extension HTML {
    /// What stands where nothing is known.
    static let none: HTML = "<span class=\"none\">–</span>"
}
