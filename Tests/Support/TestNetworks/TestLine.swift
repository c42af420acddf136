/// A line between two hosts.
package final class TestLine: Sendable {
    private let ends: [TestHost]
    /// What both hosts call it.
    private let device: String

    /// The addresses of the two hosts on this line.
    package let addresses: [String]

    /// Lays a line.
    ///
    /// - Parameters:
    ///   - one: A host.
    ///   - other: Another host.
    ///   - number: Which one it is of the lines of these hosts, from 0 to 255.
    /// - Throws: What `ip` says if this machine has no such lines.
    package init(_ one: TestHost, _ other: TestHost, number: Int = 0) throws {
        ends = [one, other]
        device = "line\(number)"
        // For tests of devices (RFC 2544), so nobody's.
        addresses = (1...2).map { "198.18.\(number).\($0)" }
        try one.run([
            "ip", "link", "add", device, "type", "veth", "peer", "name", device, "netns",
            other.number,
        ])
        for (end, address) in zip(ends, addresses) {
            try end.run(["ip", "address", "add", "\(address)/24", "dev", device])
            try end.run(["ip", "link", "set", device, "up"])
        }
    }

    /// Lets nothing pass; neither host hears of that.
    ///
    /// - Throws: What `nft` says if it cannot.
    package func cut() throws {
        let rules = """
            add table inet \(device)
            add chain inet \(device) dead { type filter hook input priority 0; }
            add rule inet \(device) dead iifname \(device) drop
            """
        for end in ends { try end.run(["nft", rules]) }
    }

    /// Mends it after a cut.
    ///
    /// - Throws: What `nft` says if it cannot.
    package func mend() throws {
        for end in ends { try end.run(["nft", "delete", "table", "inet", device]) }
    }

    /// Pulls it out of a host, or plugs it in again; both hosts see that.
    ///
    /// - Parameter isUp: Whether it is plugged in.
    /// - Throws: What `ip` says if it cannot.
    package func plug(_ isUp: Bool) throws {
        try ends[0].run(["ip", "link", "set", device, isUp ? "up" : "down"])
    }
}
