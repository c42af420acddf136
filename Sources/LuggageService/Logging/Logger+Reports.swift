internal import FoundationEssentials
internal import Logging
internal import LuggageTags
internal import SystemSupport

extension Logger {
    /// Logs the result of a tag.
    ///
    /// - Parameters:
    ///   - report: The result.
    ///   - what: What the tag is from.
    ///   - end: What else there is to say about it.
    func tell(_ report: ScanReport, of what: String, end: String = "") {
        var logger = self
        logger[metadataKey: "outcome"] = "\(report.outcome.rawValue)"
        if let problem = report.error {
            logger[metadataKey: "reason"] = "\(problem.reason)"
            logger.warning("\(what): \(report.outcome.rawValue): \(problem.message)\(end)")
            return
        }
        let bag = report.luggage
        logger[metadataKey: "bag"] = "\(bag?.id.uuidString ?? "")"
        let owner = bag?.owner.map { " of \($0.name)" } ?? ""
        let id = bag?.id.uuidString.prefix(8) ?? ""
        let remark = report.misroutedRemark.map { ": \($0)" } ?? ""
        // A wrong clock or a wrong place must show even if little is logged.
        let isOrdinary = report.implausibleTime == nil && report.outcome != .misrouted
        let level: Logger.Level = isOrdinary ? .info : .notice
        let words = "\(what): \(report.outcome.rawValue): \(id)\(owner)\(remark)\(end)"
        logger.log(level: level, "\(words)")
    }

    /// Logs an alarm.
    func tell(_ alarm: Alarm) {
        var logger = self
        logger[metadataKey: "alarm"] = "\(alarm.id.uuidString)"
        logger[metadataKey: "reason"] = "\(alarm.kind.rawValue)"
        if let bag = alarm.key.bag { logger[metadataKey: "bag"] = "\(bag.uuidString)" }
        if let station = alarm.key.station { logger[metadataKey: "station"] = "\(station)" }
        logger.warning("alarm \(alarm.id.uuidString.prefix(8)): \(alarm.words().onOneLine)")
    }

    /// Logs why filing has paused, or that it goes on.
    func tell(_ trouble: FilingTrouble?) {
        guard let trouble else { return notice("filing goes on") }
        error(
            "filing has paused: \(trouble.message)",
            metadata: ["reason": "\(trouble.code ?? "failed")"]
        )
    }
}
