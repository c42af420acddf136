internal import SystemSupport

/// Sentences about what the server, or libpq, says.
extension HubError {
    /// What the server answered to a statement.
    ///
    /// - Parameters:
    ///   - answer: What the server or libpq says.
    ///   - place: The hub, such as `the hub at db.example, port 5432`.
    init(answer: ServerMessage, from place: String) {
        guard let code = answer.sqlState else {
            self = .lost(place, because: answer.text)
            return
        }
        let kind = Kind(sqlState: code)
        let text = answer.text.shownWhole
        let message =
            switch kind {
            // The hub's own functions say it in whole sentences.
            case .hub: text
            case .readOnly: "\(place) takes no changes: \(text)"
            case .full: "\(place) has no space or memory left: \(text)"
            case .faulty: "\(place) has a fault of its own: \(text)"
            case .notReady: "\(place) is not ready: \(text)"
            case .refused: "\(place) refuses this client: \(text)"
            case .forbidden: "\(place) does not allow that: \(text)"
            case .undefined: "\(place) is not set up as this version needs it: \(text)"
            case .conflict: "\(place) did not carry that out: \(text)"
            default: "\(place) reports: \(text)"
            }
        self.init(
            kind,
            message,
            remedy: kind == .hub ? answer.hint?.shownWhole : kind.remedy(for: code),
            sqlState: code,
            detail: answer.detail
        )
    }

    /// The connection ended, or never was.
    static func lost(_ place: String, because reason: String) -> HubError {
        HubError(
            .unreachable,
            "\(place) does not answer: \(reason.shownWhole)",
            remedy: "see that PostgreSQL runs there, and that nothing between blocks it"
        )
    }

    /// Whoever is between could be the hub.
    static let unverified = HubError(
        .address,
        "the address of the hub does not say sslmode=verify-full, so anybody in between could pass himself off as "
            + "the hub, read all names, and purge",
        remedy:
            "add sslmode=verify-full and sslrootcert to it, as in the guide \u{201C}stations and their hub\u{201D}"
    )

    /// The server was silent for too long.
    static func silent(_ place: String, for patience: Duration) -> HubError {
        lost(place, because: "nothing came for \(patience.formattedSeconds)")
    }

    /// Why libpq could not connect.
    ///
    /// - Parameters:
    ///   - complaint: libpq's words, with one paragraph for each address that was tried, and with the
    ///     server's code if the server has answered.
    ///   - place: The hub.
    init(connecting complaint: String, to place: String) {
        // An indented line goes on with advice.
        let lines = complaint.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("\t") }
            .map(String.init)
        for line in lines.reversed() {
            guard let (code, text) = Self.answer(in: line) else { continue }
            self.init(answer: ServerMessage(sqlState: code, text: text), from: place)
            return
        }
        let line = lines.last { $0.contains(" failed: ") } ?? lines.last ?? "it says no reason"
        let reason = line.firstRange(of: " failed: ").map { String(line[$0.upperBound...]) } ?? line
        let lowercase = reason.lowercased()
        if ["read-only", "hot standby", "not accept connections in read"].contains(
            where: lowercase.contains
        ) {
            self.init(
                .readOnly,
                "\(place) takes no changes: \(reason.shownWhole)",
                remedy: Kind.readOnly.remedy(for: "")
            )
        } else if Self.wordsOfLoss.contains(where: lowercase.contains) {
            self = .lost(place, because: reason)
        } else if Self.wordsOfTrust.contains(where: lowercase.contains) {
            self.init(
                .refused,
                "\(place) and this client do not trust each other: \(reason.shownWhole)",
                remedy:
                    "see that sslrootcert, sslcert and sslkey in its address are the files that were "
                    + "made for this hub, and that no certificate has expired"
            )
        } else if lowercase.contains("password") {
            self.init(
                .refused,
                "\(place) wants a password: \(reason.shownWhole)",
                remedy: Kind.refused.remedy(for: "28P01")
            )
        } else {
            self = .lost(place, because: reason)
        }
    }

    /// Words of libpq and OpenSSL about a connection that ends, also while it is being encrypted.
    private static let wordsOfLoss = ["syscall", "eof", "closed the connection", "reset by peer"]

    /// Words of libpq and OpenSSL about certificates and encryption.
    private static let wordsOfTrust = ["certificate", "ssl", "tls", "private key"]

    /// The server's code and words in a line such as `… failed: FATAL:  28P01: no such role`.
    private static func answer(in line: String) -> (code: String, text: String)? {
        // The first word is in the server's language.
        guard let match = line.firstMatch(of: /: {2}([0-9A-Z]{5}): (.*)/) else { return nil }
        return (String(match.1), String(match.2))
    }
}

extension HubError.Kind {
    /// What to do about a code of PostgreSQL.
    fileprivate func remedy(for code: String) -> String? {
        switch self {
        case .readOnly: "connect to the primary, or promote this standby"
        case .full where code == "53200": "give PostgreSQL more memory, or send less at once"
        case .full: "make room on its disk"
        case .faulty: "look into the log of PostgreSQL there"
        case .notReady where code == "53300":
            "raise max_connections there, or connect fewer clients"
        case .notReady: "try again soon"
        case .refused where code == "3D000": "create that database, or name another in the address"
        case .refused where code == "28P01": "give the right password in ~/.pgpass or in PGPASSFILE"
        case .refused:
            "see that this client's certificate or password fits its role, and that pg_hba.conf there lets it in"
        case .forbidden: "connect with the role that was made for this, or grant it the right"
        case .undefined: "set the hub up with `luggage sync set-up` of this version"
        case .conflict: "try again"
        default: nil
        }
    }
}

extension String {
    /// On one line, and not endless: a server may say anything.
    fileprivate var shownWhole: String { shortened(characters: 400, bytes: 1600).onOneLine }
}

extension Duration {
    /// Such as `5 s` or `0.2 s`.
    fileprivate var formattedSeconds: String {
        let milliseconds = Int((self / .milliseconds(1)).rounded())
        return milliseconds % 1000 == 0
            ? "\(milliseconds / 1000) s" : "\(Double(milliseconds) / 1000) s"
    }
}
