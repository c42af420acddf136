/// The columns of CSV files, which also identify their version: a later one has other columns.
enum CSVColumns {
    /// The columns of bags.
    static let bags = [
        "id", "givenName", "familyName", "weight", "departedAt", "arrivedAt", "version",
    ]

    /// The columns of scans; `base64` is the payload, and version 2 added `id` and what follows.
    static let scans = [
        "bag", "point", "station", "scannedAt", "imageName", "imageDigest", "base64", "outcome",
        "reason", "copy", "version", "id", "filedAt", "author", "role", "others",
    ]

    /// The columns of other facts.
    static let facts = [
        "id", "kind", "subject", "author", "reason", "madeAt", "knownAt", "weight", "givenName",
        "familyName", "noOwner", "departedAt", "arrivedAt", "withdraws", "until",
        "imageDigest", "imageName", "station", "point", "version", "others",
    ]

    /// The columns with numbers, and with times, which may be numbers.
    static let numbers = [
        "weight", "copy", "departedAt", "arrivedAt", "scannedAt", "filedAt", "madeAt", "knownAt",
        "until",
    ]

    /// The columns of scans in files of version 1.
    static let scansOfStates = Array(scans.prefix(11))

    /// The first characters that make a spreadsheet read a formula, and the mark that prevents it.
    private static let formulaStarts: Set<UInt8> = Set("=+-@\t\r'".utf8)
    static let mark = UInt8(ascii: "'")

    /// Whether a field needs the mark in front, so that no spreadsheet reads it as a formula.
    ///
    /// Names of stations, files and people may begin like a formula. ``unmarked(_:)`` removes the mark. A
    /// field that begins with a mark itself gets another one.
    static func needsMark(_ field: String) -> Bool {
        field.utf8.first.map(formulaStarts.contains) ?? false
    }

    /// The field without its mark.
    static func unmarked(_ field: [UInt8]) -> [UInt8] {
        guard field.count > 1, field[0] == mark, formulaStarts.contains(field[1]) else {
            return field
        }
        return Array(field[1...])
    }
}
