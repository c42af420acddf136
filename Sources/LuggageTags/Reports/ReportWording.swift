package import FoundationEssentials
internal import Glibc
internal import SystemSupport

// Words for people that are the same in every command and on every page.

extension LuggageReport {
    /// For how long the bag has been missing, in seconds; nil if it is not.
    package func missing(at now: Date) -> TimeInterval? {
        guard let departedAt, arrivedAt == nil else { return nil }
        return max(0, now.timeIntervalSince(departedAt))
    }
}

extension TimeInterval {
    /// The duration in its two largest units: `2d 4h`, `6h 12m`, `5m`.
    package var lengthOfTime: String {
        guard isFinite, abs(self) < 1e12 else { return "?" }
        let minutes = Int(self / 60)
        let (days, hours) = (minutes / 1440, minutes / 60 % 24)
        if days > 0 { return hours > 0 ? "\(days)d \(hours)h" : "\(days)d" }
        if hours > 0 { return minutes % 60 > 0 ? "\(hours)h \(minutes % 60)m" : "\(hours)h" }
        return "\(minutes)m"
    }
}

extension Date {
    /// The time in the local zone, with the zone's abbreviation: `2026-07-01 09:30 CEST`.
    package var local: String {
        // A damaged record could name years that no calendar has.
        let bounds = -62_135_596_800.0...253_402_300_799.0
        guard bounds.contains(timeIntervalSince1970) else { return "?" }
        var seconds = time_t(timeIntervalSince1970.rounded(.down))
        var parts = unsafe tm()
        unsafe localtime_r(&seconds, &parts)
        var buffer = [CChar](repeating: 0, count: 64)
        let count = unsafe strftime(&buffer, buffer.count, "%Y-%m-%d %H:%M %Z", &parts)
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension Float {
    /// The weight in a unit, converted from pounds: `42.0 lb`, `19.1 kg`.
    package func text(in unit: MassUnit, digits: Int = 1) -> String {
        unit.amount(of: self).text(decimals: digits) + " \(unit.rawValue)"
    }
}
