import HubConnection
import SystemSupport
import TestHubs
import Testing

@Suite("A statement", .timeLimit(.minutes(30)))
struct StatementTests {
    @Test(
        "gives back what it is given, as text",
        arguments: [
            nil, "", "NULL", "a", "'; DROP TABLE x; --", "\\", "\"", "$1", "李/小龙", "É\u{301}",
            "\u{7F}\n\t",
            "{\"a\": [1, 2]}", String(repeating: "x", count: 100_000),
        ]
    )
    func echo(text: String?) async throws {
        let rows = try await onThread {
            try SharedHub.get().query("SELECT $1::text AS first, 1 AS second", [text])
        }
        let row = try #require(rows.first)
        #expect(rows.count == 1)
        #expect(row.values == [text, "1"])
        #expect(row["first"] == text)
        #expect(row["second"] == "1" && row[1] == "1")
        #expect(row["third"] == nil && row[2] == nil && row[-1] == nil)
    }

    @Test("is not sent with a NUL character, which would cut it", arguments: [true, false])
    func nul(isInParameter: Bool) async throws {
        try await onThread {
            let connection = try SharedHub.get().connect()
            let error = failure {
                _ =
                    isInParameter
                    ? try connection.query("SELECT $1", ["a\0b"])
                    : try connection.query("SELECT 1\0")
            }
            #expect(error?.kind == .statement)
            #expect(try connection.query("SELECT 1").first?[0] == "1")
        }
    }

    @Test("may have an answer of any size, also encrypted", arguments: [false, true])
    func sizes(isEncrypted: Bool) async throws {
        try await onThread {
            let hub = try SharedHub.get()
            let certificate = try hub.authority.certificate(for: "postgres")
            let address =
                isEncrypted ? hub.address(as: "postgres", with: certificate) : hub.address()
            let connection = try connect(address)
            #expect(connection.isEncrypted == isEncrypted)
            let size = 30_000_000
            let large = try connection.query("SELECT repeat('x', \(size))")
            #expect(large.first?[0]?.utf8.count == size)
            let many = try connection.query("SELECT n, 'é' FROM generate_series(1, 200000) AS n")
            #expect(many.count == 200_000)
            #expect(many.last?.values == ["200000", "é"])
            let text = String(repeating: "y", count: size)
            #expect(try connection.query("SELECT length($1)", [text]).first?[0] == "\(size)")
            #expect(try connection.query("SELECT $1::text", [text]).first?[0] == text)
            #expect(try connection.query("SELECT WHERE false").isEmpty)
        }
    }

    @Test(
        "that fails says what has failed and what to do",
        arguments: [
            ("SELECT nothing()", HubError.Kind.undefined, "42883"),
            ("SELECT * FROM nowhere.nothing", .undefined, "42P01"),
            ("SELEKT", .statement, "42601"),
            ("SELECT 1/0", .statement, "22012"),
            ("SELECT 1; SELECT 2", .statement, "42601"),
            (raise("53100"), .full, "53100"), (raise("53200"), .full, "53200"),
            (raise("58030"), .faulty, "58030"), (raise("XX001"), .faulty, "XX001"),
            (raise("25006"), .readOnly, "25006"),
            (raise("57P01"), .notReady, "57P01"), (raise("57P03"), .notReady, "57P03"),
            (raise("53300"), .notReady, "53300"), (raise("40001"), .conflict, "40001"),
            (raise("40P01"), .conflict, "40P01"), (raise("57014"), .conflict, "57014"),
            (raise("42501"), .forbidden, "42501"), (raise("28000"), .refused, "28000"),
            (raise("3D000"), .refused, "3D000"), (raise("3F000"), .undefined, "3F000"),
            (raise("LG001"), .hub, "LG001"), (raise("P0001"), .statement, "P0001"),
        ]
    )
    func failures(sql: String, kind: HubError.Kind, code: String) async throws {
        try await onThread {
            let connection = try SharedHub.get().connect()
            let error = try #require(failure { try connection.query(sql) })
            #expect(error.kind == kind)
            #expect(error.sqlState == code)
            #expect(error.kind == .hub || error.description.hasPrefix("the hub at the socket in /"))
            #expect(!error.description.contains("\n"))
            // It has answered, so it can be asked again.
            #expect(connection.isOpen)
            #expect(try connection.query("SELECT 1").first?[0] == "1")
        }
    }

    private static func raise(_ code: String) -> String {
        "DO $$ BEGIN RAISE EXCEPTION E'no\\nway' USING ERRCODE = '\(code)'; END $$"
    }

    @Test("of the hub's own functions fails in their words")
    func ownWords() async throws {
        let sql = """
            DO $$ BEGIN RAISE EXCEPTION 'station MUC-2 is here twice'
            USING ERRCODE = 'LG002', HINT = 'join as new', DETAIL = 'of D/ZMU'; END $$
            """
        let error = try await onThread { failure { try SharedHub.get().query(sql) } }
        #expect(error?.kind == .hub)
        #expect(error?.sqlState == "LG002")
        #expect(error?.description == "station MUC-2 is here twice; join as new")
        #expect(error?.detail == "of D/ZMU")
    }

    @Test("that begins a copy ends the connection, for none of ours does")
    func copy() async throws {
        try await onThread {
            let connection = try SharedHub.get().connect()
            let error = failure { try connection.query("COPY (SELECT 1) TO STDOUT") }
            #expect(error?.kind == .unintelligible)
            #expect(!connection.isOpen)
            #expect(failure { try connection.query("SELECT 1") }?.kind == .unreachable)
        }
    }

    private struct Refusal: Error {}

    @Test("among several is carried out with all of them, or none is")
    func transactions() async throws {
        try await onThread {
            let hub = try SharedHub.get()
            let connection = try hub.connect()
            try connection.query("CREATE TEMPORARY TABLE kept (number integer UNIQUE)")
            func count() throws -> String? {
                try connection.query("SELECT count(*) FROM kept").first?[0]
            }
            let result = try connection.transaction {
                try connection.query("INSERT INTO kept VALUES (1)")
                return try connection.query("INSERT INTO kept VALUES (2) RETURNING number")
            }
            #expect(result.first?[0] == "2")
            #expect(throws: Refusal.self) {
                try connection.transaction {
                    try connection.query("INSERT INTO kept VALUES (3)")
                    throw Refusal()
                }
            }
            #expect(try count() == "2")
            let error = failure {
                try connection.transaction {
                    try connection.query("INSERT INTO kept VALUES (4)")
                    try connection.query("INSERT INTO kept VALUES (1)")
                }
            }
            #expect(error?.sqlState == "23505")
            #expect(try count() == "2")
            // A failure that is passed over undoes the rest too, and that is told.
            let overlooked = failure {
                try connection.transaction {
                    try connection.query("INSERT INTO kept VALUES (5)")
                    _ = try? connection.query("SELECT 1/0")
                }
            }
            #expect(overlooked?.kind == .statement)
            #expect(try count() == "2")
        }
    }
}
