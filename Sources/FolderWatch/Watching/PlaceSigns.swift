#if canImport(Glibc)
internal import Glibc
#endif

/// Tells when a path may have come to lead to another folder, so that nobody needs to look at times.
///
/// The kernel tells of each folder on the way that is renamed or removed, and of what is mounted. It
/// does not tell of the way through symbolic links: a path with one is still looked at on a timer, and
/// so is every path where the kernel has nothing to give.
struct PlaceSigns {
    /// The descriptor from which events of the folders on the way are read; nil while there is none.
    private(set) var events: Int32?
    /// The descriptor that tells when something is mounted; nil while there is none.
    private(set) var mounts: Int32?

    private let system: WatchSystem
    private let paths: [[UInt8]]
    /// The least time from a sign to asking for the next: a folder on the way may be a busy one.
    private let rest: Duration
    private var mayBeginAt: Moment?
    private var isTold: [Bool]

    init(system: WatchSystem, paths: [[UInt8]], rest: Duration) {
        self.system = system
        self.paths = paths
        self.rest = rest
        isTold = paths.map { _ in false }
    }

    /// Whether there would be a sign if the path of a folder came to lead elsewhere.
    func isTold(of folder: Int) -> Bool { isTold[folder] }

    /// Asks for signs, if none were asked for and the last one is long enough ago.
    mutating func begin(now: Moment) {
        guard events == nil, mayBeginAt.map({ $0 <= now }) ?? true else { return }
        guard let mounts = system.openMounts() else { return }
        guard case .success(let events) = system.openEvents() else {
            system.closeEvents(mounts)
            return
        }
        (self.events, self.mounts) = (events, mounts)
        for folder in paths.indices { isTold[folder] = watchWay(to: paths[folder], events) }
    }

    /// Takes the signs that have come, and says whether there were any: then each path is to be looked
    /// at, and there are no more signs until they are asked for again.
    mutating func take(haveMountsChanged: Bool, now: Moment) -> Bool {
        guard let events else { return false }
        var isSign = haveMountsChanged
        while true {
            let news = system.readEvents(events)
            if news.isEmpty { break }
            isSign = isSign || news.contains(where: concerns)
        }
        guard isSign else { return false }
        end()
        mayBeginAt = now + rest
        return true
    }

    /// Gives everything back.
    mutating func end() {
        for descriptor in [events, mounts] {
            if let descriptor { system.closeEvents(descriptor) }
        }
        (events, mounts) = (nil, nil)
        isTold = isTold.map { _ in false }
    }

    /// Whether an event is of a folder on the way, or of one that is watched; others come and go
    /// beside it.
    private func concerns(_ event: KernelEvent) -> Bool {
        event.name.isEmpty
            || paths.contains { Self.folders(onTheWayTo: $0).last?.child == event.name }
    }

    private func watchWay(to path: [UInt8], _ events: Int32) -> Bool {
        let steps = Self.folders(onTheWayTo: path)
        // What is on the way now may be exchanged while it is gone through: whoever asks for signs
        // looks where the path leads afterwards.
        return steps.enumerated().allSatisfy { number, step in
            guard case .found(let state) = system.look(step.child(of: step.folder)),
                state.kind == .folder
            else { return false }
            let isParent = number == steps.count - 1
            let result = system.addPlaceWatch(events, step.folder, isParent)
            return (try? result.get()) != nil
        }
    }

    /// One folder on the way, and the name by which the way goes on from it.
    private struct Step {
        let folder: [UInt8]
        let child: [UInt8]

        func child(of folder: [UInt8]) -> [UInt8] {
            folder.last == UInt8(ascii: "/") ? folder + child : folder + [UInt8(ascii: "/")] + child
        }
    }

    private static func folders(onTheWayTo path: [UInt8]) -> [Step] {
        let slash = UInt8(ascii: "/")
        var folder = path.first == slash ? [slash] : [UInt8(ascii: ".")]
        var steps: [Step] = []
        for name in path.split(separator: slash) {
            let step = Step(folder: folder, child: Array(name))
            steps.append(step)
            folder = step.child(of: folder)
        }
        return steps
    }
}
