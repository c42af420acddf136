internal import CLinux
internal import Glibc
internal import SystemSupport

extension WatchSystem {
    /// The calls of the real system.
    package static var live: WatchSystem {
        WatchSystem(
            now: { Moment(sinceStart: processStart.duration(to: SuspendingClock.now)) },
            identify: identifyFolder,
            fileSystem: findFileSystem,
            look: lookAtFile,
            scan: scanFolder,
            openEvents: {
                let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
                return descriptor < 0 ? .failure(.last) : .success(descriptor)
            },
            addWatch: { events, path in
                let watch = unsafe inotify_add_watch(events, path.cString, wantedEvents)
                return watch < 0 ? .failure(.last) : .success(watch)
            },
            addInnerWatch: { events, path in
                let watch = unsafe inotify_add_watch(
                    events,
                    path.cString,
                    wantedEvents | UInt32(IN_DONT_FOLLOW)
                )
                return watch < 0 ? .failure(.last) : .success(watch)
            },
            removeWatch: { events, watch in _ = inotify_rm_watch(events, watch) },
            readEvents: readKernelEvents,
            addPlaceWatch: { events, path, isParent in
                let watch = unsafe inotify_add_watch(events, path.cString, placeEvents(isParent))
                return watch < 0 ? .failure(.last) : .success(watch)
            },
            openMounts: {
                let descriptor = unsafe open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
                return descriptor < 0 ? nil : descriptor
            },
            close: { descriptor in _ = Glibc.close(descriptor) },
            wait: waitForDescriptors
        )
    }

    /// `CREATE`, because hard links, and files made without a name, cause no other event; `ATTRIB`,
    /// because a file that becomes readable causes no other event; no `MODIFY`, which comes too
    /// often.
    private static var wantedEvents: UInt32 {
        [
            IN_CLOSE_WRITE, IN_MOVED_TO, IN_CREATE, IN_ATTRIB, IN_DELETE_SELF, IN_MOVE_SELF,
            IN_ONLYDIR, IN_EXCL_UNLINK, IN_MASK_ADD,
        ]
        .reduce(0) { $0 | UInt32($1) }
    }

    /// The watch may share its inode with a watched folder, so this is added to the events already
    /// requested.
    private static func placeEvents(_ isParent: Bool) -> UInt32 {
        let ofItself = [IN_MOVE_SELF, IN_DELETE_SELF, IN_ONLYDIR, IN_MASK_ADD]
        let ofWhatIsInIt = isParent ? PlaceSigns.ofWhatIsInTheParent : 0
        return ofItself.reduce(UInt32(ofWhatIsInIt)) { $0 | UInt32($1) }
    }

    /// The clock stops while the machine sleeps, as the timeouts of `poll` do.
    private static let processStart = SuspendingClock.now

    @Sendable private static func identifyFolder(
        _ path: [UInt8]
    ) -> Result<FolderIdentity, SystemError> {
        // The system would take only the part before the zero.
        guard !path.contains(0) else { return .failure(.missing) }
        var found = FolderWatchIdentity()
        let number = unsafe folder_watch_identify(path.cString, &found)
        guard number == 0 else { return .failure(SystemError(number: number)) }
        return .success(
            FolderIdentity(device: found.device, inode: found.inode, mount: found.mount)
        )
    }

    @Sendable private static func findFileSystem(
        _ path: [UInt8]
    ) -> Result<FileSystemKind, SystemError> {
        var magic: UInt32 = 0
        let number = unsafe folder_watch_file_system(path.cString, &magic)
        guard number == 0 else { return .failure(SystemError(number: number)) }
        return .success(FileSystemKind(magic: magic))
    }

    @Sendable private static func lookAtFile(_ path: [UInt8]) -> FileLook {
        guard let status = FileStatus(at: path, followsLinks: false) else {
            return SystemError.last.isGone ? .gone : .failed
        }
        return .found(FileState(status))
    }

    @Sendable private static func scanFolder(
        _ path: [UInt8],
        _ body: ([UInt8]) -> Bool
    ) -> Result<Bool, SystemError> {
        var goesOn = true
        let number = FolderEntry.forEach(at: path) { entry in
            goesOn = body(entry.name)
            return goesOn
        }
        return number == 0 ? .success(goesOn) : .failure(SystemError(number: number))
    }

    @Sendable private static func waitForDescriptors(
        _ descriptors: WaitedDescriptors,
        timeout: Duration?
    ) -> Bool {
        // A negative descriptor is ignored.
        var polled = [
            pollfd(fd: descriptors.signal ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptors.events ?? -1, events: Int16(POLLIN), revents: 0),
            // The list of mounts is always readable; POLLPRI reports a change.
            pollfd(fd: descriptors.mounts ?? -1, events: Int16(POLLPRI), revents: 0),
        ]
        // The caller checks the time and the other descriptors afterwards; only the list reports
        // just once.
        _ = unsafe poll(&polled, nfds_t(polled.count), timeout.map(milliseconds) ?? -1)
        return polled[2].revents != 0
    }

    /// Whole milliseconds, rounded up so that a wait never spins; at most an hour.
    private static func milliseconds(_ duration: Duration) -> Int32 {
        guard duration > .zero else { return 0 }
        guard duration < .seconds(3600) else { return 3_600_000 }
        let (seconds, attoseconds) = duration.components
        return Int32(seconds) * 1000
            + Int32((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}

extension FileState {
    init(_ status: FileStatus) {
        let kind: Kind =
            switch status.kind {
            case .file: .regular
            case .pipe: .fifo
            case .device: .device
            case .socket: .socket
            case .link: .symbolicLink
            case .folder: .folder
            case .other: .other
            }
        self.init(
            kind: kind,
            inode: status.identity.number,
            byteCount: Int64(status.byteCount),
            modified: Self.nanoseconds(status.modified),
            changed: Self.nanoseconds(status.changed)
        )
    }

    /// Wraps around, because only differences matter.
    private static func nanoseconds(_ time: FileTime) -> Int64 {
        Int64(time.seconds) &* 1_000_000_000 &+ Int64(time.nanoseconds)
    }
}
