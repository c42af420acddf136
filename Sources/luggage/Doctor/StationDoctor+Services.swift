internal import Glibc
internal import LuggageService
internal import SQLiteStore
internal import SystemSupport

extension StationDoctor {
    /// Who watches the folder.
    func serviceCheck(_ station: Station) -> StationCheck {
        let folder = station.layout.path
        if FileStatus(at: folder) == nil {
            return StationCheck(.service, .unseen, "known once the folder is there")
        }
        let unit = station.unit.flatMap { $0.isInstalled ? $0 : nil }
        guard let owner = FolderReport.watcher(of: station.layout) else {
            // A user who may not look into the folder sees nobody in it.
            if RecordAccess(folder).isRefused(R_OK | X_OK) {
                return unseen(.service, "you may not see who watches \(folder.onOneLine)")
            }
            return nobodyWatches(folder, unit)
        }
        if let pause = owner.pause {
            return StationCheck(.service, .wrong, "filing has paused: \(pause.message.onOneLine)")
        }
        guard let unit, unit.isActive else {
            return StationCheck(
                .service,
                .right,
                "\(folder.onOneLine) is watched by \(owner.words.onOneLine)"
            )
        }
        if unit.isEnabled {
            return StationCheck(.service, .right, "\(unit.name) runs, and is started at every boot")
        }
        return StationCheck(
            .service,
            .advice,
            "\(unit.name) runs, and is not started after a boot",
            remedies: ["sudo systemctl enable \(unit.name)"]
        )
    }

    private func nobodyWatches(_ folder: String, _ unit: ServiceUnit?) -> StationCheck {
        guard let unit else { return nobodyWatches(folder) }
        if unit.isMasked {
            return StationCheck(
                .service,
                .wrong,
                "\(unit.name) is masked, and so cannot be started",
                remedies: [
                    "sudo systemctl unmask \(unit.name)",
                    "sudo systemctl enable --now \(unit.name)",
                ]
            )
        }
        if unit.hasFailed {
            return StationCheck(
                .service,
                .wrong,
                "\(unit.name) has failed: \(unit.status?.onOneLine ?? "its log says why")",
                remedies: [
                    "journalctl --lines 20 --unit \(unit.name)",
                    "sudo systemctl restart \(unit.name)",
                ]
            )
        }
        if unit.isActive {
            return StationCheck(
                .service,
                .wrong,
                "\(unit.name) runs, and watches another folder than \(folder.onOneLine)",
                remedies: ["sudo systemctl restart \(unit.name)"]
            )
        }
        return StationCheck(
            .service,
            .wrong,
            "\(unit.name) is not started",
            remedies: ["sudo systemctl enable --now \(unit.name)"]
        )
    }

    /// A folder that no service is known to watch: systemd does not answer, or has nothing to do with it.
    private func nobodyWatches(_ folder: String) -> StationCheck {
        let message = "nobody watches \(folder.onOneLine)"
        let watching = "luggage watch \(folder.asShellWord)"
        guard let owner = FileStatus(at: folder)?.owner, owner != geteuid() else {
            return StationCheck(.service, .wrong, message, remedies: [watching])
        }
        let name = RecordAccess.name(of: owner)
        // Only the owner can watch it, and only root can become that.
        if geteuid() != 0 { return unseen(.service, "\(message), which belongs to \(name)") }
        return StationCheck(
            .service,
            .wrong,
            "\(message), which belongs to \(name)",
            remedies: unsafe getpwuid(owner) == nil
                ? [] : ["runuser -u \(name.asShellWord) -- \(watching)"]
        )
    }

    /// The service for hand scanners, if the settings name some.
    func scannerChecks(_ station: Station) -> [StationCheck] {
        let count = station.configuration.scanners.named.count
        guard count > 0 else { return [] }
        let words = count.counted("hand scanner")
        guard isInstalled(station), let unit = ServiceUnit.ask("luggage-listener") else {
            return [
                StationCheck(.scanners, .unseen, "\(words): `luggage listen` files what they read")
            ]
        }
        if unit.isActive && !unit.hasFailed {
            return [StationCheck(.scanners, .right, "\(words): \(unit.status ?? "listened to")")]
        }
        let state =
            unit.hasFailed ? "has failed: \(unit.status ?? "its log says why")" : "is not started"
        return [
            StationCheck(
                .scanners,
                .wrong,
                "\(words), and \(unit.name) \(state)",
                remedies: ["sudo systemctl enable --now \(unit.name)"]
            )
        ]
    }

    /// The exchange with a hub, if the settings name one.
    func hubChecks(_ station: Station) -> [StationCheck] {
        guard station.configuration.hub != nil else { return [] }
        guard (station.scans ?? 0) > 0 || !SQLiteStore.isMissing(at: station.record.path),
            let store = try? station.record.open(.read, tellsLosses: false),
            let container = try? RecordFile.container(store)
        else { return [StationCheck(.hub, .unseen, "known once the record can be read")] }
        guard let standing = try? HubStanding(container, at: station.record.path) else {
            return [
                StationCheck(
                    .hub,
                    .wrong,
                    "the settings name a hub, and the record has not joined it",
                    remedies: ["sudo -u \(Self.serviceUser) luggage sync join"]
                )
            ]
        }
        if standing.isExchanging { return [StationCheck(.hub, .right, standing.line)] }
        let remedy =
            standing.exchangedBy == nil && isInstalled(station)
            ? "sudo systemctl enable --now luggage-sync" : "luggage sync status"
        return [StationCheck(.hub, .wrong, standing.line, remedies: [remedy])]
    }

    private func isInstalled(_ station: Station) -> Bool { station.unit?.isInstalled == true }
}
