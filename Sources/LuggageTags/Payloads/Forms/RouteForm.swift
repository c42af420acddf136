internal import SystemSupport

/// The name of a place or a trip.
struct RouteName: Form {
    static let expectation = "a name of 1 to 64 characters on one line"

    let text: String

    init(_ text: String) {
        self.text = text.composed
    }

    init(from decoder: any Decoder) throws {
        guard let text = try decoder.attempt({ try String(from: decoder) }) else {
            throw decoder.noForm(of: Self.self)
        }
        guard text.isRouteName else {
            throw Refusal.expected(Self.expectation, found: text.quoted)
                .error(at: decoder.codingPath)
        }
        self.init(text)
    }

    func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }

    /// Spellings of one name are equal.
    static func == (one: Self, other: Self) -> Bool { one.text.nameKey == other.text.nameKey }
}

/// A day of the calendar.
struct RouteDay: Form {
    static let expectation = "a day such as \"2026-07-01\""

    let text: String

    init(_ text: String) {
        self.text = text
    }

    init(from decoder: any Decoder) throws {
        guard let text = try decoder.attempt({ try String(from: decoder) }) else {
            throw decoder.noForm(of: Self.self)
        }
        guard text.isCalendarDay else {
            throw Refusal.expected(Self.expectation, found: "the text \(text.quoted)")
                .error(at: decoder.codingPath)
        }
        self.text = text
    }

    func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}

extension Route {
    /// Reads the members of a plain object that are about a route; nil if a decoder must read them.
    static func plain(_ texts: [String: String]) -> Route?? {
        for (name, text) in texts where name == "date" ? !text.isCalendarDay : !text.isRouteName {
            return nil
        }
        return .some(
            Route(from: texts["from"], to: texts["to"], trip: texts["trip"], date: texts["date"])
        )
    }

    /// The names of the members.
    static let members: Set<String> = ["from", "to", "trip", "date"]
}

extension KeyedDecodingContainer where Key == FormKey {
    /// Decodes the members of a route; nil if there are none.
    ///
    /// - Parameter isOnRecord: Whether the members are of a fact that is on record: an older version of the
    ///   program has not looked at them, so wrong ones count as absent.
    /// - Returns: The route.
    /// - Throws: `DecodingError` for a wrong member.
    func decodeRoute(isOnRecord: Bool) throws -> Route? {
        func member<Value: Form>(_ type: Value.Type, _ name: String) throws -> Value? {
            do {
                return try decodeIfStated(type, name)
            } catch {
                if isOnRecord { return nil }
                throw error
            }
        }
        return Route(
            from: try member(RouteName.self, "from")?.text,
            to: try member(RouteName.self, "to")?.text,
            trip: try member(RouteName.self, "trip")?.text,
            date: try member(RouteDay.self, "date")?.text
        )
    }
}

extension KeyedEncodingContainer where Key == FormKey {
    /// Encodes the members of a route.
    mutating func encode(_ route: Route?) throws {
        try encodeIfPresent(route?.from.map(RouteName.init), forKey: FormKey("from"))
        try encodeIfPresent(route?.to.map(RouteName.init), forKey: FormKey("to"))
        try encodeIfPresent(route?.trip.map(RouteName.init), forKey: FormKey("trip"))
        try encodeIfPresent(route?.date.map(RouteDay.init), forKey: FormKey("date"))
    }
}

extension CodingUserInfoKey {
    /// The key with which a decoder tells that it reads a payload that is on record.
    static let isOnRecord = key("LuggageTags.isOnRecord")
}
