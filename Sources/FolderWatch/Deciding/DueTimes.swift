/// A heap of due files: even among many waiting files, each costs little.
///
/// An entry stays when its file no longer waits. The caller skips such entries, and rebuilds the
/// heap when most entries are stale.
struct DueTimes {
    struct Entry {
        let due: Moment
        let key: FileKey
    }

    private var entries: [Entry] = []

    var count: Int { entries.count }
    var first: Entry? { entries.first }

    init() {}

    init(_ entries: [Entry]) {
        // A sorted list is a heap.
        self.entries = entries.sorted { $0.due < $1.due }
    }

    mutating func insert(_ entry: Entry) {
        entries.append(entry)
        var index = entries.count - 1
        while index > 0 {
            let parent = (index - 1) / 2
            guard entries[index].due < entries[parent].due else { return }
            entries.swapAt(index, parent)
            index = parent
        }
    }

    mutating func removeFirst() {
        guard let last = entries.popLast(), !entries.isEmpty else { return }
        entries[0] = last
        var index = 0
        while true {
            var child = 2 * index + 1
            guard child < entries.count else { return }
            if child + 1 < entries.count, entries[child + 1].due < entries[child].due { child += 1 }
            guard entries[child].due < entries[index].due else { return }
            entries.swapAt(index, child)
            index = child
        }
    }
}
