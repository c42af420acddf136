internal import CTestNetworks
internal import Foundation
internal import SystemSupport
internal import TestProcesses

/// A host of a test's own on this machine: a Linux network namespace, which goes with the test.
///
/// Nothing of this machine's network is in it, except a loopback device of its own.
package final class TestHost: Sendable {
    // While it lives, so does the namespace.
    private let process: LastingProcess

    private var namespace: String { "/proc/\(process.identifier)/ns/net" }

    /// The words before a command that make it run on this host.
    package var prefix: [String] { ["nsenter", "--net=\(namespace)", "--"] }

    /// Adds a host.
    ///
    /// - Throws: ``TestNetworkError`` with what to do if this machine has no such hosts.
    package init() throws {
        process = try LastingProcess([
            "unshare", "--net", "sh", "-c",
            "ip link set lo up && echo ready && exec sleep infinity",
        ])
        guard process.waitForLine(containing: ["ready"]) else {
            throw TestNetworkError(
                "this machine has no network namespaces for tests, which need root, CAP_NET_ADMIN and "
                    + "CAP_SYS_ADMIN, and apt-get install iproute2 nftables: \(process.log)"
            )
        }
    }

    /// Whether tests of dead networks are to be run here.
    package static let isExpected = TestProcesses.isExpected(
        "networks that are dead",
        unless: "NO_NETWORK_NAMESPACES"
    ) {
        try TestLine(TestHost(), TestHost()).cut()
    }

    /// Runs a command on this host to its end.
    @discardableResult
    package func run(_ command: [String]) throws -> String { try runToEnd(prefix + command) }

    /// Runs something on a thread of which all new connections are this host's.
    ///
    /// - Parameter body: What to run; it may wait.
    /// - Returns: What it returns.
    /// - Throws: What it throws, and ``TestNetworkError``.
    package func onThread<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        let path = namespace
        return try await withCheckedThrowingContinuation { continuation in
            DetachedThread.startPatiently {
                continuation.resume(
                    with: .init {
                        try Self.enter(path)
                        return try body()
                    }
                )
            }
        }
    }

    private static func enter(_ path: String) throws {
        let error = unsafe test_network_enter(path)
        guard error == 0 else {
            let reason = SystemError(number: error)
            throw TestNetworkError("a thread cannot be moved to another host: \(reason)")
        }
    }

    /// What other commands call its namespace.
    var number: String { "\(process.identifier)" }
}

/// Why a test has no network.
package struct TestNetworkError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
