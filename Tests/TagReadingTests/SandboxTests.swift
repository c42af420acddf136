import Foundation
import Testing

@Suite(
    "The sandbox of a reader process",
    // A sanitizer needs what the sandbox denies.
    .disabled(if: isSanitized),
    .timeLimit(.minutes(30))
)
struct SandboxTests {
    /// Something that a reader process has no business to do.
    struct Attempt: CustomTestStringConvertible {
        let testDescription: String
        /// The error with which Landlock refuses it by itself, and the version that is the first to.
        var landlock: (error: Int32, version: Int)?
        /// The error with which the limits refuse it by themselves.
        var limits: Int32?
        /// Whether it takes what tests may not have where they run in a container.
        var isPrivileged = false
    }

    static let attempts: [Attempt] = [
        Attempt(testDescription: "open-file", landlock: (EACCES, 1)),
        Attempt(testDescription: "list-folder", landlock: (EACCES, 1)),
        Attempt(testDescription: "create-file", landlock: (EACCES, 1)),
        Attempt(testDescription: "write-file", limits: EFBIG),
        Attempt(testDescription: "write-open-file", limits: EFBIG),
        Attempt(testDescription: "truncate-file", landlock: (EACCES, 3)),
        Attempt(testDescription: "remove-file", landlock: (EACCES, 1)),
        Attempt(testDescription: "move-file", landlock: (EACCES, 1)),
        Attempt(testDescription: "make-folder", landlock: (EACCES, 1)),
        Attempt(testDescription: "make-link", landlock: (EACCES, 1)),
        Attempt(testDescription: "examine-path"),
        Attempt(testDescription: "examine-beside"),
        Attempt(testDescription: "map-file"),
        Attempt(testDescription: "mount", landlock: (EPERM, 1), isPrivileged: true),
        Attempt(testDescription: "fork", limits: geteuid() == 0 ? nil : EAGAIN),
        Attempt(testDescription: "execute", landlock: (EACCES, 1)),
        Attempt(testDescription: "signal-process", landlock: (EPERM, 6)),
        Attempt(testDescription: "abort-process", landlock: (EPERM, 6)),
        Attempt(testDescription: "trace-process", landlock: (EPERM, 1), isPrivileged: true),
        Attempt(testDescription: "read-process", landlock: (EPERM, 1), isPrivileged: true),
        Attempt(testDescription: "enter-namespace", isPrivileged: true),
        Attempt(testDescription: "make-socket"),
        Attempt(testDescription: "connect-by-tcp", landlock: (EACCES, 4)),
        Attempt(testDescription: "connect-abstractly", landlock: (EPERM, 6)),
        Attempt(testDescription: "bind-by-tcp", landlock: (EACCES, 4)),
        Attempt(testDescription: "receive-elsewhere"),
        Attempt(testDescription: "send-elsewhere"),
        Attempt(testDescription: "duplicate-socket"),
        Attempt(testDescription: "command-device"),
        Attempt(testDescription: "map-code"),
        Attempt(testDescription: "protect-code"),
        Attempt(testDescription: "make-memory-file"),
        Attempt(testDescription: "lift-limit"),
        Attempt(testDescription: "lift-limit-elsewhere"),
        Attempt(testDescription: "exhaust-descriptors", limits: EMFILE),
        Attempt(testDescription: "handle-signal"),
        Attempt(testDescription: "change-process"),
        Attempt(testDescription: "call-by-x32", isPrivileged: true),
        Attempt(testDescription: "call-by-interrupt", isPrivileged: true),
    ]

    @Test("is what stops each attempt: without it they succeed", arguments: attempts)
    func control(attempt: Attempt) async throws {
        let outcome = try await HostileReader.attempt(attempt.testDescription, inside: [])
        let isUnprivileged = attempt.isPrivileged && outcome == .refused(EPERM)
        #expect(outcome == .letThrough || isUnprivileged)
    }

    @Test("ends the process at each attempt", arguments: attempts)
    func everyLayer(attempt: Attempt) async throws {
        let outcome = try await HostileReader.attempt(
            attempt.testDescription,
            inside: HostileReader.Layer.allCases
        )
        #expect(outcome == .ended(SIGSYS))
    }

    @Test("does so by the filter of system calls alone", arguments: attempts)
    func filter(attempt: Attempt) async throws {
        let outcome = try await HostileReader.attempt(attempt.testDescription, inside: [.filter])
        #expect(outcome == .ended(SIGSYS))
    }

    @Test(
        "denies files, connections and other processes by Landlock alone",
        .enabled(if: kernelLandlockVersion > 0, "this kernel has no Landlock"),
        arguments: attempts.filter { ($0.landlock?.version ?? .max) <= kernelLandlockVersion }
    )
    func landlock(attempt: Attempt) async throws {
        let expected = try #require(attempt.landlock)
        let outcome = try await HostileReader.attempt(attempt.testDescription, inside: [.landlock])
        #expect(outcome == .refused(expected.error))
    }

    @Test(
        "denies writing, children and descriptors by limits alone",
        arguments: attempts.filter { $0.limits != nil }
    )
    func limits(attempt: Attempt) async throws {
        let expected = try #require(attempt.limits)
        let outcome = try await HostileReader.attempt(attempt.testDescription, inside: [.limits])
        #expect(outcome == .refused(expected))
    }

    static let necessities: [(name: String, outcome: HostileReader.Outcome)] = [
        ("receive", .letThrough),
        ("read-open-file", .letThrough),
        ("sort", .letThrough),
        ("use-memory", .letThrough),
        ("exhaust-memory", .letThrough),
        ("tell-time", .letThrough),
        ("grant-time", .letThrough),
        ("end", .letThrough),
        // Each ends as it would without a sandbox, so that a fault is not taken for an attempt.
        ("exceed-time", .ended(SIGXCPU)),
        ("be-aborted", .ended(SIGABRT)),
        ("fail-assertion", .ended(SIGABRT)),
        ("smash-stack", .ended(SIGABRT)),
        ("free-twice", .ended(SIGABRT)),
        ("fall", .ended(SIGSEGV)),
    ]

    @Test(
        "lets pass what reading takes, and lets a faulty process die of its fault",
        arguments: necessities
    )
    func passes(name: String, outcome: HostileReader.Outcome) async throws {
        let found = try await HostileReader.need(name)
        #expect(found == outcome)
    }
}
