extension Duration {
    private static let units: [(name: String, milliseconds: Int)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]

    /// Understands a whole number and a unit, such as `250ms`, `30s`, `5m`, `1h` or `2d`.
    ///
    /// - Returns: `nil` for anything else.
    package init?(settingText text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }
        // Nine digits of days are far more than anybody waits, and far less than overflows.
        guard (1...9).contains(digits.count), let number = Int(digits),
            let factor = Self.units.first(where: { $0.name == unit })?.milliseconds
        else { return nil }
        self = .milliseconds(number * factor)
    }

    /// The number and unit as in a configuration file, with the largest unit that keeps it whole.
    var settingText: String {
        let (seconds, attoseconds) = components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        let unit = Self.units.last { milliseconds % Int64($0.milliseconds) == 0 }
        guard let unit, milliseconds != 0 else { return "\(milliseconds)ms" }
        return "\(milliseconds / Int64(unit.milliseconds))\(unit.name)"
    }
}
