internal import FoundationEssentials
internal import Glibc
internal import LuggageService
internal import SystemSupport

extension StationDoctor {
    /// Who may drop pictures.
    func peopleCheck(_ station: Station) -> StationCheck {
        let paths = station.layout.dropFolders.map(\.path.pathText)
        let later = StationCheck(
            .people,
            .unseen,
            "known once the folders for dropping are there"
        )
        guard let path = paths.first else { return later }
        guard let status = FileStatus(at: path) else {
            return errno == EACCES ? mayNotDrop(station) : later
        }
        if status.permissions & S_IWOTH != 0 {
            return StationCheck(.people, .right, "everybody may drop pictures")
        }
        let owner = RecordAccess.name(of: status.owner)
        guard status.permissions & S_IWGRP != 0, let group = unsafe getgrgid(status.group) else {
            return StationCheck(.people, .right, "only \(owner) may drop pictures")
        }
        let name = unsafe String(cString: group.pointee.gr_name)
        let members = unsafe Self.members(of: group).filter { $0 != owner }
        // Somebody whose own group that is needs no membership.
        let hasOwner = unsafe getpwnam(name).map { unsafe $0.pointee.pw_gid } == status.group
        if members.isEmpty && !hasOwner {
            let person = ProcessInfo.processInfo.environment["SUDO_USER"] ?? "root"
            return StationCheck(
                .people,
                .wrong,
                "nobody belongs to the group \(name), whose members may drop pictures",
                remedies: [Self.joining(name, person == "root" ? "NAME" : person)]
            )
        }
        let own = RecordAccess.name(of: geteuid())
        let mayNow = unsafe access(path, W_OK) == 0
        if members.contains(own) && !mayNow {
            return Self.notYet(name)
        }
        let people = (members.isEmpty ? [name] : members).map(\.onOneLine)
        return StationCheck(.people, .right, "may drop pictures: \(people.joined(separator: ", "))")
    }

    /// What somebody finds who may not even look into the folder.
    private func mayNotDrop(_ station: Station) -> StationCheck {
        let folder = station.layout.path
        let message = "you may not look into \(folder.onOneLine), and so not drop pictures"
        // What only root's group or the owner may do, nobody gets by joining a group.
        guard let status = FileStatus(at: folder), status.permissions & S_IXGRP != 0,
            status.group != 0, let group = unsafe getgrgid(status.group)
        else { return unseen(.people, message) }
        let name = unsafe String(cString: group.pointee.gr_name)
        let own = RecordAccess.name(of: geteuid())
        if unsafe Self.members(of: group).contains(own) { return Self.notYet(name) }
        // Who only asks need not drop any.
        return StationCheck(.people, .advice, message, remedies: [Self.joining(name, own)])
    }

    /// What a member of the group finds who logged in before that.
    private static func notYet(_ group: String) -> StationCheck {
        StationCheck(
            .people,
            .advice,
            "you may drop pictures once you have logged in again",
            remedies: ["newgrp \(group)"]
        )
    }

    private static func joining(_ group: String, _ person: String) -> String {
        "sudo usermod -aG \(group) \(person.asShellWord)"
    }

    private static func members(of group: UnsafeMutablePointer<group>) -> [String] {
        var members: [String] = []
        var next = unsafe group.pointee.gr_mem
        while let entry = unsafe next, let name = unsafe entry.pointee {
            members.append(unsafe String(cString: name))
            unsafe next = entry + 1
        }
        return members
    }

    /// What waits or has failed: says nothing where nothing does.
    func pictureChecks(_ station: Station) -> [StationCheck] {
        guard let report = station.report else { return [] }
        var checks: [StationCheck] = []
        if !report.failed.isEmpty {
            checks.append(
                StationCheck(
                    .pictures,
                    .advice,
                    "\(report.failed.count.counted("picture")) could not be filed",
                    remedies: ["luggage status"]
                )
            )
        }
        for words in report.left {
            checks.append(StationCheck(.pictures, .wrong, "left: \(words)"))
        }
        return checks
    }

    /// The first picture.
    func firstCheck(_ station: Station) -> StationCheck {
        let filed = station.scans ?? station.report?.processed
        guard let filed else {
            return RecordAccess(station.record.path).isRefused(R_OK)
                ? unseen(.first, "you may not see whether a picture was filed")
                : StationCheck(.first, .unseen, "known once the record can be read")
        }
        if filed > 0 {
            return StationCheck(.first, .right, "pictures are filed", remedies: [])
        }
        let waiting = station.report?.pending.values.reduce(0, +) ?? 0
        if waiting > 0 {
            return StationCheck(
                .first,
                .wrong,
                "\(waiting.counted("picture")) wait, and none is filed yet",
                remedies: ["luggage status"]
            )
        }
        let folder = station.layout.dropFolders.first?.path.pathText ?? station.layout.path
        return StationCheck(
            .first,
            .wrong,
            "no picture is filed yet: drop one",
            remedies: ["cp PICTURE.png \((folder + "/").asShellWord)"]
        )
    }
}
