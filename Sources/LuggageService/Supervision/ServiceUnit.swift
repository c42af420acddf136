internal import SystemSupport

/// What systemd says of a unit.
package struct ServiceUnit: Sendable {
    /// The unit's name, without `.service`.
    package let name: String
    private let properties: [String: String]

    /// Whether this machine has the unit.
    package var isInstalled: Bool { properties["LoadState"] != "not-found" }
    /// Whether somebody has forbidden to start it.
    package var isMasked: Bool { properties["LoadState"] == "masked" }
    /// Whether its service runs.
    package var isActive: Bool { ["active", "reloading"].contains(properties["ActiveState"]) }
    /// Whether its service is started at every boot.
    package var isEnabled: Bool { properties["UnitFileState"] == "enabled" }
    /// Whether its service has ended by a failure, also if it is about to be started again.
    package var hasFailed: Bool {
        properties["ActiveState"] == "failed" || properties["SubState"] == "auto-restart"
    }
    /// What its service last said of itself; nil if it said nothing.
    package var status: String? { properties["StatusText"].flatMap { $0.isEmpty ? nil : $0 } }
    /// The folders to which its service may write, besides those that systemd makes for it.
    package var writableFolders: [String] {
        (properties["ReadWritePaths"] ?? "").split(separator: " ").map {
            // A path that may be missing has this before it.
            String($0.drop { "-+".contains($0) })
        }
    }

    private static let asked = [
        "ActiveState", "LoadState", "ReadWritePaths", "StatusText", "SubState", "UnitFileState",
    ]

    /// Asks systemd.
    ///
    /// - Parameter name: The name of the unit, without `.service`.
    /// - Returns: The answer; nil if systemd does not run here or does not answer, or if no unit can have
    ///   that name.
    package static func ask(_ name: String) -> ServiceUnit? {
        let isName = name.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                || "@-_.:".utf8.contains($0)
        }
        guard isName, !name.isEmpty else { return nil }
        let command =
            "exec systemctl show --no-pager --property=\(asked.joined(separator: ",")) "
            + "-- '\(name).service'"
        let run = try? HookRun(
            command: command,
            environment: [Array("PATH=/usr/local/bin:/usr/bin:/bin".utf8)],
            input: [],
            timeLimit: .seconds(10)
        )
        guard let run else { return nil }
        let outcome = run.outcome(unless: WakeSignal())
        guard outcome.end == .exited(0) else { return nil }
        return ServiceUnit(name: name, lines: outcome.output.lines)
    }

    /// Takes an answer, as `systemctl show` writes it.
    init?(name: String, lines: [String]) {
        self.name = name
        var properties: [String: String] = [:]
        for line in lines {
            guard let sign = line.firstIndex(of: "=") else { continue }
            properties[String(line[..<sign])] = String(line[line.index(after: sign)...])
        }
        self.properties = properties
        // Whatever else writes lines is not systemd.
        guard properties["LoadState"] != nil, properties["ActiveState"] != nil else { return nil }
    }
}
