package import FoundationEssentials
package import HubConnection
package import LuggageTags
package import SystemSupport

extension HubConnection {
    /// Connects to a hub, where nobody's functions and operators are taken for PostgreSQL's own.
    ///
    /// - Parameters:
    ///   - address: Where it is.
    ///   - ending: A signal that ends all waits while it is raised.
    /// - Throws: `HubError`.
    package convenience init(
        toHub address: HubAddress,
        ending: WakeSignal? = nil
    ) throws(HubError) {
        try self.init(to: address, applicationName: "luggage-sync", ending: ending)
        // Else whoever may make functions there could act with the rights of the hub's owner.
        try query("set search_path to pg_catalog, pg_temp")
    }
}

/// The functions of a hub's schema, in Swift; see the files in `Schema` for what they do.
package struct Hub {
    let connection: HubConnection

    package init(_ connection: HubConnection) {
        self.connection = connection
    }

    /// What a hub says of itself, and of a member.
    package struct Greeting: Decodable, Hashable, Sendable {
        /// The identifier of the hub.
        package var hub: UUID
        /// The version of its schema.
        package var version: Int
        /// The last runs of its server, oldest first.
        package var runs: [Run]
        /// The hub's time.
        package var now: String
        /// The last save of the member's history that was pushed; nil without a member.
        package var token: Int64?
        /// The random number of the member's last push; nil if there was none.
        package var nonce: UUID?
        /// How many facts of the member are kept apart, because their times are ahead of the hub's clock.
        package var waiting: Int
    }

    /// A run of the hub's server, from one start to the next.
    package struct Run: Decodable, Hashable, Sendable {
        /// The identifier.
        package var id: UUID
        /// The place at which it began: the facts of earlier runs are before it.
        package var place: UInt64
    }

    package struct PushAnswer: Decodable, Hashable, Sendable {
        /// How many facts were new to the hub.
        package var stored: Int
        /// How many were kept apart, because their times are ahead of the hub's clock.
        package var ahead: Int
        /// How many of this member's facts are kept apart in all.
        package var waiting: Int
        /// The hub's time.
        package var now: String
    }

    package struct PullAnswer: Hashable, Sendable {
        /// The facts, as lines of JSON.
        package var bodies: [String] = []
        /// Where to go on.
        package var cursor: PullCursor
        /// Whether there is more at once.
        package var hasMore = true
        /// Whether there is more that the hub gives only when a transaction has ended that runs there.
        package var isHeld = false
    }

    // MARK: Joining

    /// Asks what hub it is, and what it knows of a member.
    package func greet(_ member: Int64?) throws -> Greeting {
        try decode(Greeting.self, "select luggage.greet($1)", [member.map { "\($0)" }])
    }

    /// Joins a record; returns its number as a member.
    package func enter(
        station: String,
        machine: String,
        pullsEverything: Bool,
        takesPlace: Bool
    ) throws -> Int64 {
        try number(
            "select luggage.enter($1, $2, $3, $4)",
            [station, machine, "\(pullsEverything)", "\(takesPlace)"]
        )
    }

    /// Ends a membership.
    package func leave(_ member: Int64) throws {
        try connection.query("select luggage.leave($1)", ["\(member)"])
    }

    // MARK: Facts

    /// Sends facts.
    ///
    /// - Parameters:
    ///   - facts: The facts.
    ///   - state: The member, with the nonces of the last push and of this one.
    ///   - token: The save up to which the history is pushed with them; nil if they are not the next ones.
    /// - Returns: The answer.
    /// - Throws: `HubError`.
    package func push(
        _ facts: [OutgoingFact],
        of state: HubState,
        upTo token: Int64?
    ) throws -> PushAnswer {
        let wire = try JSONEncoder().encode(facts.map(WireFact.init))
        return try decode(
            PushAnswer.self,
            "select luggage.push($1, $2, $3, $4, $5, $6)",
            [
                "\(state.member)", state.nonce?.uuidString, state.attempt?.uuidString,
                token.map { "\($0)" }, Date().reportText, String(decoding: wire, as: UTF8.self),
            ]
        )
    }

    /// The facts of others after a place.
    package func pull(_ member: Int64, after cursor: PullCursor, limit: Int) throws -> PullAnswer {
        let rows = try connection.query(
            "select transaction, number, body, more from luggage.pull($1, $2, $3, $4)",
            ["\(member)", "\(cursor.transaction)", "\(cursor.number)", "\(limit)"]
        )
        var answer = PullAnswer(cursor: cursor)
        for row in rows {
            guard let transaction = row[0].flatMap(UInt64.init),
                let number = row[1].flatMap(Int64.init)
            else { throw SyncError.unintelligible("a fact without a place") }
            answer.cursor = PullCursor(transaction: transaction, number: number)
            if let body = row[2] { answer.bodies.append(body) }
            answer.hasMore = row[3] == "t"
            answer.isHeld = row[3] == nil
        }
        return answer
    }

    /// The first of the transactions that have not begun yet at the hub's server.
    package func nextTransaction() throws -> Int64 {
        try number("select pg_snapshot_xmax(pg_current_snapshot())", [])
    }

    /// Whether all transactions of the hub's server have ended that began before one.
    package func hasEnded(before transaction: Int64) throws -> Bool {
        try single(
            "select pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8",
            ["\(transaction)"]
        ) == "t"
    }

    /// Lets the hub note that the member is here, and pass on what has waited for its time.
    package func attend(_ member: Int64) throws {
        try connection.query("select luggage.attend($1)", ["\(member)"])
    }

    /// Some bags whose earlier facts the member has yet to get.
    package func wantedBags(_ member: Int64, limit: Int) throws -> [String] {
        try connection.query(
            "select luggage.wanted_bags($1, $2)",
            ["\(member)", "\(limit)"]
        ).compactMap { $0[0] }
    }

    /// All facts of some bags.
    package func pull(_ member: Int64, bags: [String]) throws -> [String] {
        try connection.query(
            "select luggage.pull_bags($1, $2)",
            ["\(member)", "{\(bags.joined(separator: ","))}"]
        ).compactMap { $0[0] }
    }

    /// Notes that the member has the facts of some bags.
    package func have(_ member: Int64, bags: [String]) throws {
        try connection.query(
            "select luggage.have_bags($1, $2)",
            ["\(member)", "{\(bags.joined(separator: ","))}"]
        )
    }

    // MARK: Days

    /// How many facts of which days the hub has for the member.
    package func days(_ member: Int64) throws -> [FactDays.Day: FactDays.Digest] {
        let rows = try connection.query(
            "select station, day, count, digest from luggage.days($1)",
            ["\(member)"],
            patience: .seconds(600)
        )
        return try rows.reduce(into: [:]) { days, row in
            guard let station = row[0], let day = row[1], let count = row[2].flatMap(Int.init),
                let bits = row[3]
            else { throw SyncError.unintelligible("a day without a digest") }
            days[.init(station: station, date: day)] = .init(count: count, bits: bits)
        }
    }

    /// Passes all facts of a station's day to a closure, page by page.
    package func pull(
        _ member: Int64,
        day: FactDays.Day,
        limit: Int,
        _ body: ([String]) throws -> Void
    ) throws {
        let zeros = "00000000-0000-0000-0000-000000000000"
        var last: (String?, String?) = (zeros, zeros)
        while true {
            let rows = try connection.query(
                "select id, variant, body from luggage.pull_day($1, $2, $3, $4, $5, $6)",
                ["\(member)", day.station, day.date, last.0, last.1, "\(limit)"]
            )
            if !rows.isEmpty { try body(rows.compactMap { $0[2] }) }
            guard rows.count == limit, let end = rows.last else { return }
            last = (end[0], end[1])
        }
    }

    // MARK: Publishing

    /// Begins to publish derived rows, or goes on.
    ///
    /// - Parameters:
    ///   - member: Who publishes.
    ///   - mine: The generation of the rows that it has published; nil to publish all of them anew.
    /// - Returns: The generation of the rows to publish. If it is `mine`, only changes are wanted.
    /// - Throws: `HubError`, or ``SyncError``.
    package func beginPublishing(_ member: Int64, mine: Int64?) throws -> Int64 {
        try number(
            "select luggage.begin_publishing($1, $2)",
            ["\(member)", mine.map { "\($0)" }]
        )
    }

    /// Publishes rows that stand on every fact before a place.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - member: Who publishes.
    ///   - generation: The generation of the rows.
    ///   - place: The place.
    ///   - isLast: Whether everything before the place is published then.
    /// - Throws: `HubError`, or ``SyncError``.
    package func publish(
        _ rows: PublishedRows,
        of member: Int64,
        generation: Int64,
        upTo place: PullCursor,
        isLast: Bool
    ) throws {
        try connection.query(
            "select luggage.publish($1, $2, $3, $4, $5, $6)",
            [
                "\(member)", "\(generation)", try rows.json,
                "\(place.transaction)", "\(place.number)", "\(isLast)",
            ]
        )
    }

    /// Drops rows that an earlier publisher has left, some of each kind.
    ///
    /// - Returns: How many they were.
    package func dropOldRows(
        of member: Int64,
        before generation: Int64,
        limit: Int
    ) throws -> Int64 {
        try number(
            "select luggage.drop_old_rows($1, $2, $3)",
            ["\(member)", "\(generation)", "\(limit)"]
        )
    }

    // MARK: Answers

    private func single(_ sql: String, _ parameters: [String?]) throws -> String {
        guard let value = try connection.query(sql, parameters).first?[0] else {
            throw SyncError.unintelligible("nothing in answer to \(sql.onOneLine)")
        }
        return value
    }

    private func number(_ sql: String, _ parameters: [String?]) throws -> Int64 {
        let text = try single(sql, parameters)
        guard let number = Int64(text) else { throw SyncError.unintelligible("no number: \(text)") }
        return number
    }

    private func decode<Value: Decodable>(
        _ type: Value.Type,
        _ sql: String,
        _ parameters: [String?]
    ) throws -> Value {
        let text = try single(sql, parameters)
        do {
            return try JSONDecoder().decode(type, from: Data(text.utf8))
        } catch {
            throw SyncError.unintelligible("an answer of another form")
        }
    }
}

/// A fact as `luggage.push` reads it.
private struct WireFact: Encodable {
    var id: UUID
    var bag: UUID?
    var station: String
    var at: String
    var known: String?
    var forgets: String?
    var until: String?
    var body: String
    var rest_id: UUID?
    var rest: String?
    var renamed_at: String?
    var renamed_known: String?
    var renamed_body: String?
    var renamed_rest: String?

    init(_ fact: OutgoingFact) {
        id = fact.id
        bag = fact.bag
        station = fact.station
        at = fact.age.at.wireText
        known = fact.age.known?.wireText
        forgets = fact.forgets?.rawValue
        until = fact.until?.wireText
        body = fact.body
        rest_id = fact.rest?.id
        rest = fact.rest?.body
        renamed_at = fact.renaming?.age.at.wireText
        renamed_known = fact.renaming?.age.known?.wireText
        renamed_body = fact.renaming?.body
        renamed_rest = fact.renaming?.rest
    }
}

extension Date {
    /// The time as text, rounded to the millisecond that every fact has: one less would let a purge miss it.
    fileprivate var wireText: String { (self + 0.0005).reportText }
}
