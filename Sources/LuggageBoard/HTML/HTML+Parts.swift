internal import FoundationEssentials
internal import LuggageTags
internal import ObjectStore

// Parts that many pages have.

extension HTML {
    /// Markup if there is something to show, else nothing.
    static func given<Value>(_ value: Value?, _ show: (Value) -> HTML) -> HTML {
        value.map(show) ?? .nothing
    }

    /// Markup if something is so, else nothing.
    static func when(_ condition: Bool, _ html: HTML) -> HTML { condition ? html : .nothing }

    /// Says that more is on its way, with a link for browsers that do not go there by themselves.
    static func waiting(_ sentence: String, _ address: String) -> HTML {
        "<p class=\"rest\"><a href=\"\(address)\">\(sentence)</a></p>"
    }

    /// A moment by the station's clocks, which the script turns into those of the viewer.
    static func time(_ date: Date, _ form: TimeForm = .full) -> HTML {
        "<time datetime=\"\(date.reportText)\" data-form=\"\(form.rawValue)\">\(form.text(date))</time>"
    }

    /// The first digits of a bag's identifier, as a link to its page.
    static func bag(_ id: UUID) -> HTML {
        "<a class=\"bag\" href=\"/bag/\(id.uuidString)\">\(id.bagName)</a>"
    }

    /// The name of a person, which cannot disturb the direction of what stands around it.
    static func owner(_ owner: PassengerReport?) -> HTML {
        owner.map { "<bdi>\($0.name.description)</bdi>" } ?? .none
    }

    /// One of the signs that stand beside a word, never instead of one.
    static func sign(_ sign: Sign) -> HTML {
        "<svg class=\"sign \(sign.rawValue)\" viewBox=\"0 0 16 16\" aria-hidden=\"true\">\(sign.shape)</svg>"
    }
}

/// A sign whose shape tells what it means also to who sees no colours.
enum Sign: String {
    case good, bad, late, news

    fileprivate var shape: HTML {
        switch self {
        case .good: "<path d=\"M2 8.5 6.2 13 14 3.5\"/>"
        case .bad: "<path d=\"M3 3 13 13M13 3 3 13\"/>"
        case .late: "<path d=\"M8 2 15 14H1Z\"/><path d=\"M8 6.5V10M8 12v.1\"/>"
        case .news: "<circle cx=\"8\" cy=\"8\" r=\"5\"/>"
        }
    }
}

extension Outcome {
    /// Whether all is well, or somebody has to do something.
    var sign: Sign { isFiled && self != .misrouted ? .good : .bad }
}

/// How much of a moment is shown.
enum TimeForm: String {
    case full, clock

    func text(_ date: Date) -> String {
        let local = date.local
        switch self {
        case .full: return local
        case .clock:
            let parts = local.split(separator: " ")
            return parts.count > 1 ? String(parts[1]) : local
        }
    }
}
