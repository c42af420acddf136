/// The columns of CSV files, which are their version, too: a later one has other columns.
enum CSVColumns {
    /// The columns of bags.
    static let bags = [
        "id", "givenName", "familyName", "weight", "departedAt", "arrivedAt", "version",
    ]

    /// The columns of scans; `base64` is the payload, `id` and what follows came with version 2.
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

    /// The columns of numbers, and of times, which may be numbers.
    static let numbers = [
        "weight", "copy", "departedAt", "arrivedAt", "scannedAt", "filedAt", "madeAt", "knownAt",
        "until",
    ]

    /// Those that are in files of version 1 too.
    static let scansOfStates = Array(scans.prefix(11))

    /// With what a spreadsheet takes a field for a formula, and the mark that tells it otherwise.
    private static let formulaStarts: Set<UInt8> = Set("=+-@\t\r'".utf8)
    static let mark = UInt8(ascii: "'")

    /// Whether a field gets the mark in front, so that no spreadsheet takes it for a formula.
    ///
    /// Names of stations, files and people may begin like one. The mark is taken off again by
    /// ``unmarked(_:)``, and a field that has one of its own gets another.
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
