#if canImport(Glibc)
internal import Glibc
#endif

/// Tells when a path may have come to lead to another folder, so that nobody needs to look at times.
///
/// The kernel tells of each folder on the way that is renamed or removed, and of what is mounted. It
/// does not tell of the way through symbolic links: a path with one is still looked at on a timer, and
/// so is every path where the kernel has nothing to give.
struct PlaceSigns {
    /// What is asked of the folder that holds a watched one.
    ///
    /// It tells at once of a removal, which the removed folder itself tells of only when nobody has it
    /// open any more.
    static let ofWhatIsInTheParent = IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO

    /// The descriptor that tells when something is mounted; nil while there are no signs.
    private(set) var mounts: Int32?

    private let system: WatchSystem
    private let ways: [[Step]]
    /// The least time from a sign to asking for the next: mounts may come in numbers.
    private let restAfterSign: Duration
    private var mayBeginAt: Moment?
    private var isTold: [Bool]
    /// By which the events of the folders on the way are known.
    private var watchesOfWays: Set<Int32> = []

    init(system: WatchSystem, paths: [[UInt8]], rest: Duration) {
        self.system = system
        ways = paths.map(Self.way(to:))
        restAfterSign = rest
        isTold = paths.map { _ in false }
    }

    /// Whether there would be a sign if the path of a folder came to lead elsewhere.
    func isTold(of folder: Int) -> Bool { isTold[folder] }

    /// Asks for signs of a folder's place, if there are none yet and the last one is long enough ago.
    mutating func begin(of folder: Int, _ watches: inout KernelWatches, now: Moment) {
        guard !isTold[folder], mayBeginAt.map({ $0 <= now }) ?? true,
            case .success(let events) = watches.open()
        else { return }
        if mounts == nil { mounts = system.openMounts() }
        guard mounts != nil else { return }
        isTold[folder] = watch(ways[folder], events)
    }

    /// Whether an event is of a folder on the way, or of a watched one in the folder that holds it;
    /// others come and go beside it.
    func isSign(_ event: KernelEvent) -> Bool {
        guard watchesOfWays.contains(event.watch) else { return false }
        return event.name.isEmpty
            || event.has(Self.ofWhatIsInTheParent) && ways.contains { $0.last?.name == event.name }
    }

    /// Asks for no more signs until a while after now: there was one.
    mutating func rest(_ watches: KernelWatches, now: Moment) {
        end(watches)
        mayBeginAt = now + restAfterSign
    }

    /// Asks for no more signs.
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
        // What is on the way now may be exchanged while it is gone through: whoever asks for signs
        // looks where the path leads afterwards.
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

    /// One folder on the way, and the name by which the way goes on from it.
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
