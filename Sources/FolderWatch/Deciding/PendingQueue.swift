/// Files in the order in which they are handed out.
///
/// A file that is no longer pending stays in the queue; the caller skips it.
struct PendingQueue {
    struct Entry {
        let order: UInt64
        let key: FileKey
    }

    private var entries: [Entry] = []
    private var head = 0

    mutating func append(_ entry: Entry) {
        entries.append(entry)
    }

    mutating func popFirst() -> Entry? {
        guard head < entries.count else { return nil }
        defer {
            head += 1
            if head == entries.count {
                entries.removeAll(keepingCapacity: entries.capacity <= 1024)
                head = 0
            } else if head > 1024, head * 2 > entries.count {
                entries.removeFirst(head)
                head = 0
            }
        }
        return entries[head]
    }
}
