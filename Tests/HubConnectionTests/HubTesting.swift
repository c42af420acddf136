import HubConnection
import SystemSupport
import TestHubs

/// One hub for all tests that do it no harm.
enum SharedHub {
    private static let hub = Result { try TestHub() }

    static func get() throws -> TestHub { try hub.get() }
}

extension TestHub {
    /// Waits until a statement that contains a text is being carried out, or has been and was the last.
    func waitUntil(_ state: String, _ text: String) throws {
        let connection = try connect()
        let sql = """
            SELECT pg_sleep(0.01), count(*) FROM pg_stat_activity
            WHERE state = $1 AND query LIKE '%' || $2 || '%' AND pid <> pg_backend_pid()
            """
        while try connection.query(sql, [state, text]).first?["count"] == "0" {}
    }
}

/// The failure of a closure; nil if it does not fail.
func failure(of body: () throws -> Void) -> HubError? {
    do {
        try body()
        return nil
    } catch {
        return error as? HubError
    }
}

func connect(
    _ address: String,
    patience: Duration = .seconds(60),
    ending: WakeSignal? = nil
) throws -> HubConnection {
    try HubConnection(
        to: HubAddress(address),
        applicationName: "a test",
        patience: patience,
        ending: ending
    )
}
