internal import Foundation
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport

#if canImport(Glibc)
internal import Glibc
#endif

// Words that are the same in every command.

extension UUID {
    /// The first group, which is enough for a person, and for `luggage show`.
    var short: String { firstGroup }
}

extension Date {
    /// The time in the local zone, with the zone's abbreviation: `2026-07-01 09:30 CEST`.
    var local: String {
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
    func text(in unit: MassUnit, digits: Int = 1) -> String {
        String(format: "%.\(digits)f \(unit.rawValue)", unit.amount(of: self))
    }
}

extension Int {
    /// A number of things: `1 bag`, `2 bags`.
    func counted(_ singular: String, _ plural: String? = nil) -> String {
        "\(self) \(self == 1 ? singular : plural ?? singular + "s")"
    }
}
