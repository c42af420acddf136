internal import FoundationEssentials
internal import Glibc
internal import LuggageService
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport
internal import SQLiteStore
internal import SystemSupport

extension StationDoctor {
    /// What a user who may not look can do.
    static let askAsAdministrator = "sudo luggage doctor"

    static let serviceUser = "luggage"

    private static var serviceUserNumber: uid_t? {
        unsafe getpwnam(serviceUser).map { unsafe $0.pointee.pw_uid }
    }

    /// The service's user, where the service is installed.
    func userCheck(_ station: Station) -> [StationCheck] {
        guard station.unit?.isInstalled == true else { return [] }
        if Self.serviceUserNumber != nil {
            return [StationCheck(.user, .right, "the service runs as \(Self.serviceUser)")]
        }
        return [
            StationCheck(
                .user,
                .wrong,
                "there is no user \(Self.serviceUser), as whom the service runs",
                remedies: ["sudo systemd-sysusers", "sudo systemd-tmpfiles --create"]
            )
        ]
    }

    /// The watched folder.
    func folderCheck(_ station: Station) -> StationCheck {
        let folder = station.layout.path
        let shown = folder.onOneLine
        guard let status = FileStatus(at: folder) else {
            let number = errno
            if number == EACCES { return unseen(.folder, "you may not look for \(shown)") }
            if FileStatus(at: folder, followsLinks: false)?.kind == .link {
                return StationCheck(
                    .folder,
                    .wrong,
                    "\(shown) is a link that leads nowhere; remove it, or make what it leads to"
                )
            }
            return StationCheck(
                .folder,
                .wrong,
                "\(shown): \(describe(errorNumber: number))",
                remedies: [makingFolder(folder, for: station.unit)]
            )
        }
        guard status.kind == .folder else {
            return StationCheck(
                .folder,
                .wrong,
                "\(shown) is not a folder; name another one as `folder` in \(settings.path.onOneLine)"
            )
        }
        if let unit = station.unit, unit.isInstalled, !Self.mayWrite(unit, to: folder) {
            return StationCheck(
                .folder,
                .wrong,
                "the service may not write to \(shown): add a line ReadWritePaths=\(shown) "
                    + "below [Service] to what opens, and restart \(unit.name)",
                remedies: ["sudo systemctl edit \(unit.name)"]
            )
        }
        if station.layout.isWatchedAtOnePoint {
            return StationCheck(
                .folder,
                .wrong,
                "\(shown) was watched with --at; name the point as `at` in \(settings.path.onOneLine)"
            )
        }
        if RecordAccess(folder).isRefused(R_OK | X_OK) {
            return unseen(.folder, "you may not look into \(shown)")
        }
        let names = station.layout.dropFolders.map(\.path.displayText.onOneLine)
        return StationCheck(
            .folder,
            .right,
            "pictures are dropped into \(names.joined(separator: ", "))"
        )
    }

    /// The command that makes a missing folder.
    private func makingFolder(_ folder: String, for unit: ServiceUnit?) -> String {
        guard let unit, unit.isInstalled else { return "mkdir -p \(folder.asShellWord)" }
        // That one the installation makes.
        if folder == "/srv/luggage" { return "sudo systemd-tmpfiles --create" }
        return "sudo install --directory --owner \(Self.serviceUser) --group luggage-inbox "
            + "--mode 2750 \(folder.asShellWord)"
    }

    private static func mayWrite(_ unit: ServiceUnit, to folder: String) -> Bool {
        unit.writableFolders.contains { folder == $0 || folder.hasPrefix($0 + "/") }
    }

    func unseen(_ check: StationCheck.Subject, _ message: String) -> StationCheck {
        StationCheck(
            check,
            .unseen,
            message,
            remedies: geteuid() == 0 ? [] : [Self.askAsAdministrator]
        )
    }

    /// The record; counts its scans.
    func recordCheck(_ station: inout Station) -> StationCheck {
        let record = station.record
        let path = record.path.onOneLine
        if RecordAccess(record.path).isRefused(R_OK) {
            return unseen(.record, "you may not read the record \(path)")
        }
        do {
            try record.refuseGone()
            // What is no file, opening it refuses.
            let isOther =
                FileStatus(at: record.path).map { $0.kind != .file }
                ?? record.path.behindLinks.isLink
            if SQLiteStore.isMissing(at: record.path) && !isOther {
                var problem: String?
                if record.isAmongPictures { problem = "would be among the pictures" }
                if !record.hasFolder { problem = "cannot be made, since its folder is not there" }
                if let problem {
                    return StationCheck(
                        .record,
                        .wrong,
                        "\(path) \(problem); name another file as `store` in "
                            + settings.path.onOneLine
                    )
                }
                if let error = SQLiteStore.refusal(ofLogWithoutFileAt: record.path) { throw error }
                station.scans = 0
                return StationCheck(
                    .record,
                    .right,
                    "\(path) is made when the service first starts"
                )
            }
            let container = try RecordFile.container(record.open(.read, tellsLosses: false))
            let scans = try container.read { try $0.count(FetchRequest(Scan.self)) }
            station.scans = scans
            let losses = try record.losses(of: record.open(.read, tellsLosses: false))
            if let losses { return StationCheck(.record, .advice, losses.onOneLine) }
            return StationCheck(.record, .right, "\(path) has \(scans.counted("scan"))")
        } catch let error as StoreError where error.code == .locked {
            return StationCheck(.record, .advice, error.message)
        } catch {
            // What to do about another error, its own words say.
            let isDamaged = (error as? StoreError)?.code == .damaged
            return StationCheck(
                .record,
                .wrong,
                Failure(starting: error).message.onOneLine,
                remedies: isDamaged ? ["luggage check"] : []
            )
        }
    }

    /// The room on the disks of the folder and the record: says only where there is little.
    func spaceChecks(_ station: Station) -> [StationCheck] {
        var seen: Set<UInt64> = []
        var tight: [StationCheck] = []
        for path in [station.layout.path, station.record.folder] {
            guard let status = FileStatus(at: path), seen.insert(status.identity.device).inserted,
                let free = Self.freeMebibytes(at: path), free < Self.usualRoom
            else { continue }
            tight.append(
                StationCheck(
                    .space,
                    free < Self.leastRoom ? .wrong : .advice,
                    "the disk of \(path.onOneLine) has room for \(free) MiB only: make more",
                    remedies: ["df --human-readable \(path.asShellWord)"]
                )
            )
        }
        return tight.isEmpty ? [StationCheck(.space, .right, "there is room on the disk")] : tight
    }

    /// The largest picture that is read, and its copy, need as much.
    private static let leastRoom = 128
    private static let usualRoom = 1024

    private static func freeMebibytes(at path: String) -> Int? {
        var figures = statvfs()
        guard unsafe statvfs(path, &figures) == 0 else { return nil }
        return Int(clamping: (UInt64(figures.f_bavail) * UInt64(figures.f_frsize)) >> 20)
    }
}
