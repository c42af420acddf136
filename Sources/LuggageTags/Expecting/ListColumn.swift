internal import SystemSupport

/// A column of a table of bags, under any of the names that lists of passengers give it.
package enum ListColumn: CaseIterable, Sendable {
    case owner, given, family, from, to, trip, date, weight, id, point, place, due,
        cancelled

    /// Its names, in small letters without signs between words; the first is the one that is documented.
    package var names: [String] {
        switch self {
        case .owner: ["owner"]
        case .given: ["given", "givenname", "givennames", "first", "firstname", "forename"]
        case .family: ["family", "familyname", "last", "lastname", "surname"]
        case .from: ["from", "origin"]
        case .to: ["to", "destination"]
        case .trip: ["trip", "flight"]
        case .date: ["date"]
        case .weight: ["weight"]
        case .id: ["id", "identifier", "plate", "tagnumber"]
        case .point: ["point"]
        case .place: ["place"]
        case .due: ["due"]
        case .cancelled: ["cancelled", "canceled"]
        }
    }

    /// The column with a name, however its words are joined: `givenName`, `Given name`, `GIVEN_NAME`.
    package init?(name: String) {
        let plain = String(name.lowercased().filter { !" _-.".contains($0) })
        guard let column = Self.allCases.first(where: { $0.names.contains(plain) }) else {
            return nil
        }
        self = column
    }

    /// The columns that a table has, each with the names that the table gives it, in their order.
    package static func names(in columns: [String]) -> [ListColumn: [String]] {
        var names: [ListColumn: [String]] = [:]
        for name in columns {
            if let column = ListColumn(name: name) { names[column, default: []].append(name) }
        }
        return names
    }
}

/// The fields of a row by what they mean.
package struct ListRow {
    /// The line of the row.
    package let line: Int
    private let fields: [String: String]
    private let names: [ListColumn: [String]]

    /// Takes a row.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - names: What the table calls its columns, from ``ListColumn/names(in:)``.
    package init(_ row: CSVTable.Row, _ names: [ListColumn: [String]]) {
        line = row.line
        fields = row.fields
        self.names = names
    }

    /// The first field of a column that is not empty.
    package subscript(column: ListColumn) -> String? {
        names[column]?.lazy.compactMap { fields[$0] }.first
    }

    /// The fields in the order of columns, with what the row does not say itself, and with another identifier.
    package func fields(of columns: [String], _ told: [ListColumn: String]) -> [String] {
        columns.map { name in
            guard let column = ListColumn(name: name), let text = told[column],
                name == names[column]?[0], column == .id || self[column] == nil
            else { return fields[name] ?? "" }
            return text
        }
    }

    /// The passenger; nil if the row names none.
    ///
    /// - Throws: ``TagError`` if it is no name.
    package func owner() throws(TagError) -> PassengerName? {
        if let text = self[.owner] {
            guard let name = PassengerName(printed: text) else {
                throw TagError(
                    .typed,
                    .notDecodable,
                    at: ["owner"],
                    "expected a name such as D/ZMU, found \(text.quoted)"
                )
            }
            return name
        }
        let (given, family) = (self[.given], self[.family])
        if given == nil && family == nil { return nil }
        return PassengerName(given: given ?? "", family: family ?? "")
    }

    /// The day of the trip as `2026-07-01`, also if it is written as `01.07.2026`.
    ///
    /// Where points stand between them, the day comes first; other ways to write a day are not the same
    /// everywhere.
    package var date: String? {
        self[.date].map { text in
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 3, parts[2].utf8.count == 4,
                parts[..<2].allSatisfy({ (1...2).contains($0.utf8.count) })
            else { return text }
            let padded = parts[..<2].reversed().map { $0.utf8.count == 1 ? "0\($0)" : String($0) }
            return ([String(parts[2])] + padded).joined(separator: "-")
        }
    }

    /// Whether the bag is not to travel after all; nil if that is not said by `yes` or `no`.
    package var isCancelled: Bool? {
        switch self[.cancelled]?.lowercased() {
        case "yes", "true": true
        case nil, "no", "false": false
        default: nil
        }
    }

    /// The weight; a number alone is in pounds, as in exported tables.
    package var weight: String? { self[.weight]?.withDecimalPoint }
}
