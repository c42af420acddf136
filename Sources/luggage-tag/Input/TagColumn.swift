/// A column of a table of tags, under any of the names that lists of passengers give it.
enum TagColumn: CaseIterable {
    case owner, given, family, from, to, trip, date, weight, id

    /// Its names, in small letters without signs between words; the first is the one that is documented.
    var names: [String] {
        switch self {
        case .owner: ["owner"]
        case .given: ["given", "givenname", "givennames", "first", "firstname", "forename"]
        case .family: ["family", "familyname", "last", "lastname", "surname"]
        case .from: ["from", "origin"]
        case .to: ["to", "destination"]
        case .trip: ["trip", "flight"]
        case .date: ["date"]
        case .weight: ["weight"]
        case .id: ["id", "identifier"]
        }
    }

    /// The column with a name, however its words are joined: `givenName`, `Given name`, `GIVEN_NAME`.
    init?(name: String) {
        let plain = String(name.lowercased().filter { !" _-.".contains($0) })
        guard let column = Self.allCases.first(where: { $0.names.contains(plain) }) else {
            return nil
        }
        self = column
    }
}
