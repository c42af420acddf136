internal import FolderWatch
internal import SystemSupport
internal import Testing

struct FolderScheduleTests {
    private let start = Moment(sinceStart: .zero)
    private let first = FolderIdentity(device: 1, inode: 2, mount: 3)
    private let ext4 = FileSystemKind(magic: 0xEF53)
    private let nfs = FileSystemKind(magic: 0x6969)

    private func makeSchedule() -> FolderSchedule {
        FolderSchedule(
            intervals: FolderSchedule.Intervals(
                reconcile: .seconds(60),
                identity: .seconds(2),
                poll: .seconds(2)
            ),
            now: start
        )
    }

    /// A schedule whose folder is watched and was scanned.
    private func makeWatching(on kind: FileSystemKind? = nil) -> FolderSchedule {
        var schedule = makeSchedule()
        #expect(schedule.checked(.success(first), now: start) == .arm)
        _ = schedule.armed(.done(first, kind ?? ext4), now: start)
        schedule.scanned(nil, depth: .changes, began: start, now: start)
        return schedule
    }

    @Test("At the start everything is due, and nothing is known")
    func atStart() {
        var schedule = makeSchedule()
        #expect(schedule.condition == .starting)
        #expect(schedule.mustCheck(at: start))
        #expect(!schedule.mustScan(at: start))
        #expect(schedule.checked(.success(first), now: start) == .arm)
        #expect(schedule.mustScan(at: start))
        #expect(!schedule.wasScanned)
    }

    @Test("A folder that stays is checked every 2 s and scanned every 60 s")
    func staying() {
        var schedule = makeWatching()
        #expect(schedule.condition == .events)
        #expect(schedule.wasScanned)
        #expect(schedule.nextDue == start + .seconds(2))
        #expect(schedule.checked(.success(first), now: start + .seconds(2)) == .keep)
        #expect(schedule.nextDue == start + .seconds(4))
        #expect(!schedule.mustScan(at: start + .seconds(59)))
        #expect(schedule.mustScan(at: start + .seconds(60)))
    }

    @Test("A folder of whose place there are signs is checked when it is scanned")
    func told() {
        var schedule = makeSchedule()
        #expect(schedule.checked(.success(first), isTold: true, now: start) == .arm)
        #expect(schedule.nextDue == start)
        _ = schedule.armed(.done(first, ext4), now: start)
        schedule.scanned(nil, depth: .changes, began: start, now: start)
        #expect(schedule.nextDue == start + .seconds(60))
        schedule.checkSoon(now: start + .seconds(7))
        #expect(schedule.mustCheck(at: start + .seconds(7)))
        // After a sign there is none for a while.
        let later = start + .seconds(7)
        #expect(schedule.checked(.success(first), isTold: false, now: later) == .keep)
        #expect(schedule.nextDue == start + .seconds(9))
    }

    @Test(
        "Signs are not relied upon where the file system is silent, or no events can be had",
        arguments: [true, false]
    )
    func toldInVain(isSilent: Bool) {
        var schedule = makeSchedule()
        _ = schedule.checked(.success(first), isTold: true, now: start)
        let exhausted = SystemError(number: 28)
        _ = schedule.armed(isSilent ? .done(first, nfs) : .failed(exhausted), now: start)
        schedule.scanned(nil, depth: .changes, began: start, now: start)
        #expect(schedule.checked(.success(first), isTold: true, now: start) != .disarm)
        #expect(schedule.nextDue == start + .seconds(2))
    }

    @Test(
        "A path that leads to another folder is watched and scanned at once",
        arguments: [
            FolderIdentity(device: 9, inode: 2, mount: 3),
            FolderIdentity(device: 1, inode: 9, mount: 3),
            FolderIdentity(device: 1, inode: 2, mount: 9),
        ]
    )
    func replaced(second: FolderIdentity) {
        var schedule = makeWatching()
        let later = start + .seconds(2)
        #expect(schedule.checked(.success(second), now: later) == .arm)
        #expect(schedule.mustScan(at: later))
        #expect(schedule.armed(.done(second, ext4), now: later) == true)
        #expect(schedule.condition == .events)
    }

    @Test("A folder that is replaced while it is being watched is looked at again")
    func replacedMeanwhile() {
        var schedule = makeSchedule()
        #expect(schedule.checked(.success(first), now: start) == .arm)
        let second = FolderIdentity(device: 1, inode: 9, mount: 3)
        #expect(schedule.armed(.done(second, ext4), now: start) == false)
        #expect(schedule.mustCheck(at: start))
        #expect(schedule.checked(.success(second), now: start) == .arm)
    }

    @Test(
        "That a path leads to another folder is counted, also where that one has the same number",
        arguments: [
            (FolderIdentity(device: 1, inode: 9, mount: 3), false, 1, 0),
            (FolderIdentity(device: 1, inode: 2, mount: 3), true, 1, 0),
            (FolderIdentity(device: 9, inode: 2, mount: 3), false, 0, 1),
            (FolderIdentity(device: 1, inode: 2, mount: 9), true, 0, 1),
            (FolderIdentity(device: 1, inode: 2, mount: 3), false, 0, 0),
        ],
        [false, true]
    )
    func replacements(
        row: (found: FolderIdentity, hasEnded: Bool, folders: Int, mounts: Int),
        isAbsentMeanwhile: Bool
    ) {
        var schedule = makeWatching()
        if row.hasEnded { schedule.watchEnded(now: start) }
        if isAbsentMeanwhile {
            _ = schedule.checked(.failure(SystemError(number: 2)), now: start)
        }
        for _ in 0..<2 {
            _ = schedule.checked(.success(row.found), now: start)
            _ = schedule.armed(.done(row.found, ext4), now: start)
            #expect(schedule.replacements.folders == row.folders)
            #expect(schedule.replacements.mounts == row.mounts)
        }
    }

    @Test("An absent folder is looked for every 2 s, and not scanned")
    func absent() {
        var schedule = makeWatching()
        let later = start + .seconds(2)
        let error = SystemError(number: 2)
        #expect(schedule.checked(.failure(error), now: later) == .disarm)
        guard case .absent(let reason) = schedule.condition else {
            Issue.record("It is \(schedule.condition)")
            return
        }
        #expect(reason.code == .missing)
        #expect(reason.errorNumber == 2)
        #expect(reason.description == "No such file or directory")
        #expect(schedule.nextDue == later + .seconds(2))
        #expect(!schedule.mustScan(at: later + .seconds(600)))
        #expect(!schedule.mayScanForNames)
        // The very folder comes back: what was put into it meanwhile gave no event.
        #expect(schedule.checked(.success(first), now: later + .seconds(2)) == .arm)
        #expect(schedule.mustScan(at: later + .seconds(2)))
    }

    @Test(
        "Errors of a folder are told apart",
        arguments: [
            (2, "missing"), (20, "not-a-folder"), (13, "no-access"), (1, "no-access"),
            (5, "system-error"), (40, "system-error"),
        ]
    )
    func reasons(number: Int32, code: String) {
        var schedule = makeSchedule()
        _ = schedule.checked(.failure(SystemError(number: number)), now: start)
        guard case .absent(let reason) = schedule.condition else {
            Issue.record("It is \(schedule.condition)")
            return
        }
        #expect(reason.code.rawValue == code)
    }

    @Test(
        "Without watches or descriptors it is polled, and they are asked for again",
        arguments: [28, 24, 23, 12] as [Int32]
    )
    func exhausted(number: Int32) {
        var schedule = makeSchedule()
        _ = schedule.checked(.success(first), now: start)
        #expect(schedule.armed(.failed(SystemError(number: number)), now: start) == false)
        guard case .polling(let reason) = schedule.condition else {
            Issue.record("It is \(schedule.condition)")
            return
        }
        #expect(reason.code == .exhausted)
        #expect(schedule.mustScan(at: start))
        schedule.scanned(nil, depth: .changes, began: start, now: start)
        #expect(schedule.nextDue == start + .seconds(2))
        #expect(schedule.mustScan(at: start + .seconds(2)))
        // What has happened since the last scan gave no event.
        let later = start + .seconds(1)
        schedule.checkSoon(now: later)
        #expect(!schedule.mustScan(at: later))
        #expect(schedule.checked(.success(first), now: later) == .arm)
        #expect(schedule.armed(.done(first, ext4), now: later) == false)
        #expect(schedule.condition == .events)
        #expect(schedule.mustScan(at: later))
    }

    @Test("A file system that others change without a word is watched and polled")
    func silent() {
        let schedule = makeWatching(on: nfs)
        guard case .polling(let reason) = schedule.condition else {
            Issue.record("It is \(schedule.condition)")
            return
        }
        #expect(reason.code == .silentFileSystem)
        #expect(reason.description == "NFS does not tell of every change")
        #expect(schedule.mustScan(at: start + .seconds(2)))
    }

    @Test("A scan that fails is tried again, and shows")
    func failedScan() {
        var schedule = makeWatching()
        let later = start + .seconds(60)
        schedule.scanned(SystemError(number: 13), depth: .changes, began: later, now: later)
        guard case .absent(let reason) = schedule.condition else {
            Issue.record("It is \(schedule.condition)")
            return
        }
        #expect(reason.code == .noAccess)
        #expect(!schedule.mustScan(at: later + .seconds(1)))
        #expect(!schedule.mayScanForNames)
        #expect(schedule.mustScan(at: later + .seconds(2)))
        schedule.scanned(nil, depth: .changes, began: later, now: later)
        #expect(schedule.condition == .events)
    }

    @Test("A slow scan is followed by a rest of nine times as long")
    func slowScan() {
        var schedule = makeWatching(on: nfs)
        schedule.scanned(nil, depth: .changes, began: start, now: start + .seconds(10))
        #expect(!schedule.mustScan(at: start + .seconds(99)))
        #expect(schedule.mustScan(at: start + .seconds(100)))
    }

    @Test("What is asked for now is due now", arguments: [false, true])
    func asked(isPresent: Bool) {
        var schedule = isPresent ? makeWatching() : makeSchedule()
        let later = start + .seconds(1)
        schedule.checkSoon(now: later)
        schedule.scanSoon(now: later)
        #expect(schedule.mustCheck(at: later))
        #expect(schedule.mustScan(at: later) == isPresent)
    }
}

struct FileSystemKindTests {
    @Test(
        "Where all changes go through this kernel, events tell of them",
        arguments: [0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0xF2F5_2010, 0x4D44] as [UInt32]
    )
    func local(magic: UInt32) {
        #expect(FileSystemKind(magic: magic).tellsEverything)
    }

    @Test(
        "Elsewhere, and where it is not known, they may not",
        arguments: [
            (0x6969, "NFS"), (0xFF53_4D42, "CIFS"), (0xFE53_4D42, "SMB"), (0x6573_5546, "FUSE"),
            (0x794C_7630, "overlay"), (0x0102_1997, "9P"), (0, "0x0"), (0x1234_ABCD, "0x1234abcd"),
        ] as [(UInt32, String)]
    )
    func remote(magic: UInt32, name: String) {
        #expect(!FileSystemKind(magic: magic).tellsEverything)
        #expect(FileSystemKind(magic: magic).name == name)
    }
}
