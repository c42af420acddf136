/// One thing that a station needs, and how it stands.
struct StationCheck: Encodable {
    /// How it stands.
    enum State: String, Encodable {
        /// It is as it must be.
        case right
        /// It is missing, or not as it must be.
        case wrong
        /// It works, and could be better.
        case advice
        /// It was not looked at: something before it is wrong, or this user may not look.
        case unseen
    }

    /// What it is; the words are stable.
    enum Subject: String, Encodable {
        case reader, configuration, user, folder, record, space, service, people, pictures
        case scanners, hub, first
    }

    let check: Subject
    let state: State
    /// How it stands, for a person.
    let message: String
    /// What to type, in order.
    var remedies: [String] = []

    init(_ check: Subject, _ state: State, _ message: String, remedies: [String] = []) {
        self.check = check
        self.state = state
        self.message = message
        self.remedies = remedies
    }
}

/// What `luggage doctor` has found.
struct StationReport: Encodable {
    /// The checks, in the order in which a station is set up.
    let checks: [StationCheck]
    /// Whether nothing is wrong.
    let isReady: Bool
    /// What to type first; nil if nothing is wrong, or only words can tell.
    let next: String?

    init(_ checks: [StationCheck]) {
        self.checks = checks
        let wrong = checks.first { $0.state == .wrong }
        isReady = wrong == nil
        next = wrong?.remedies.first
    }

    enum CodingKeys: CodingKey {
        case checks, isReady, next
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(checks, forKey: .checks)
        try container.encode(isReady, forKey: .isReady)
        // Always there, so that programs need not ask for it.
        try container.encode(next, forKey: .next)
    }
}
