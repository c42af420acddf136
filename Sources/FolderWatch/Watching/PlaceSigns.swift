internal import Glibc

/// Reports when a path may lead to another folder, so that no timer needs to check it.
///
/// The kernel reports the rename or removal of each folder on the path, and mounts. It does not
/// report changes behind symbolic links: a path with a link is still checked by a timer, and so is
/// every path if the kernel gives no events.
struct PlaceSigns {
    /// The events requested from the parent of a watched folder.
    ///
    /// The parent reports a removal at once; the removed folder itself reports it only when no
    /// process has it open any more.
    static let ofWhatIsInTheParent = IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO

    /// The descriptor that reports mounts; nil while no signs are requested.
    private(set) var mounts: Int32?

    private let system: WatchSystem
    private let ways: [[Step]]
    /// The least time from one sign to the next request: many mounts may come at once.
    private let restAfterSign: Duration
    private var mayBeginAt: Moment?
    private var isTold: [Bool]
    /// The watch numbers of the folders on the paths.
    private var watchesOfWays: Set<Int32> = []

    init(system: WatchSystem, paths: [[UInt8]], rest: Duration) {
        self.system = system
        ways = paths.map(Self.way(to:))
        restAfterSign = rest
        isTold = paths.map { _ in false }
    }

    /// Whether there is a sign if the path of a folder leads elsewhere.
    func isTold(of folder: Int) -> Bool { isTold[folder] }

    /// Requests signs for a folder's path, unless there are some already or the last came just before.
    mutating func begin(of folder: Int, _ watches: inout KernelWatches, now: Moment) {
        guard !isTold[folder], mayBeginAt.map({ $0 <= now }) ?? true,
            case .success(let events) = watches.open()
        else { return }
        if mounts == nil { mounts = system.openMounts() }
        guard mounts != nil else { return }
        isTold[folder] = watch(ways[folder], events)
    }

    /// Whether an event concerns a folder on a path, or a watched folder within its parent.
    ///
    /// Events of other files beside them do not count.
    func isSign(_ event: KernelEvent) -> Bool {
        guard watchesOfWays.contains(event.watch) else { return false }
        return event.name.isEmpty
            || event.has(Self.ofWhatIsInTheParent) && ways.contains { $0.last?.name == event.name }
    }

    /// Ends the signs for a while, because there was one.
    mutating func rest(_ watches: KernelWatches, now: Moment) {
        end(watches)
        mayBeginAt = now + restAfterSign
    }

    /// Ends the signs.
    mutating func end(_ watches: KernelWatches) {
        if let mounts { system.close(mounts) }
        mounts = nil
        if let events = watches.events {
            for watch in watchesOfWays where watches.folders(of: watch).isEmpty {
                system.removeWatch(events, watch)
            }
        }
        watchesOfWays = []
        isTold = isTold.map { _ in false }
    }

    private mutating func watch(_ way: [Step], _ events: Int32) -> Bool {
        // Folders on the path may be replaced while this goes through them: the caller checks
        // afterwards where the path leads.
        for (number, step) in way.enumerated() {
            guard case .found(let state) = system.look(step.path), state.kind == .folder,
                case .success(let watch) = system.addPlaceWatch(
                    events,
                    step.folder,
                    number == way.count - 1
                )
            else { return false }
            watchesOfWays.insert(watch)
        }
        return true
    }

    /// One folder on the path, and the next name on it.
    private struct Step {
        let folder: [UInt8]
        let name: [UInt8]

        var path: [UInt8] {
            folder.last == UInt8(ascii: "/") ? folder + name : folder + [UInt8(ascii: "/")] + name
        }
    }

    private static func way(to path: [UInt8]) -> [Step] {
        let slash = UInt8(ascii: "/")
        var folder = path.first == slash ? [slash] : [UInt8(ascii: ".")]
        var steps: [Step] = []
        for name in path.split(separator: slash) {
            let step = Step(folder: folder, name: Array(name))
            steps.append(step)
            folder = step.path
        }
        return steps
    }
}
