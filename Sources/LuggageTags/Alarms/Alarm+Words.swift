package import FoundationEssentials
internal import ObjectStore

extension Alarm {
    /// What is wrong, in a sentence without its stop.
    ///
    /// - Parameter time: The words for a time; in UTC unless told.
    /// - Returns: The sentence.
    package func words(_ time: (Date) -> String = \.reportText) -> String {
        switch kind {
        case .misrouted:
            return "\(bagWords) is misrouted" + (bag?.misroutedWords.map { ": \($0)" } ?? "")
        case .overdue:
            return
                "\(bagWords) is overdue: it departed at \(time(key.occasion)) and has not arrived"
        case .incomplete:
            let (lack, whole) = (count ?? 0, whole ?? 0)
            return "\(key.subject): \(lack) of \(whole) \(whole == 1 ? "bag" : "bags") "
                + "\(lack == 1 ? "has" : "have") not passed \(key.stop), due \(time(key.occasion))"
        case .readRate:
            let (read, whole) = (count ?? 0, whole ?? 0)
            return
                "\(key.subject) reads badly since \(time(key.occasion)): \(read) of \(whole) scans "
                + "in the last full hour, \(read.percentage(of: whole))"
        case .silence:
            return "\(key.subject) is silent: its last scan was at \(time(key.occasion))"
        default:
            return "\(key.subject): \(kind.rawValue)"
        }
    }

    private var bagWords: String {
        guard let bag else { return "a bag" }
        return "bag \(bag.id.bagName)" + (bag.owner.map { " of \($0.name)" } ?? "")
    }
}

extension Alarm.Key: Encodable {
    /// Encodes what it is about, and what is wrong with that.
    public func encode(to encoder: any Encoder) throws { try words.encode(to: encoder) }

    /// What it is about, for a person: `bag F432BDB8`, `trip LX14 on 2026-07-01`, `station MUC-2`.
    package var subject: String {
        if let bag { return "bag \(bag.bagName)" }
        if let station { return "station \(station)" }
        guard let trip else { return "a list" }
        return "trip \(trip)" + (date.map { " on \($0)" } ?? "")
    }

    /// Where bags should have passed.
    var stop: String { (point?.rawValue ?? "-") + (place.map { " in \($0)" } ?? "") }

    /// What it is about, and what is wrong with that.
    package var words: String {
        switch kind {
        case .incomplete: "\(subject) incomplete at \(stop)"
        default: "\(subject) \(kind.rawValue)"
        }
    }
}
