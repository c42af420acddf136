/// Elements in contiguous memory, added at the end.
///
/// It replaces an array for speed: a class that changes its own array pays for a check of exclusive
/// access each time, which took a fifth of all encoding.
///
/// The elements up to `count` are initialised, and those up to `capacity` allocated. Every access
/// from outside is checked against `count`. The pointer leaves this file only in closures.
@safe final class GrowingBuffer<Element: BitwiseCopyable> {
    private var base: UnsafeMutablePointer<Element>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = capacity
        unsafe base = .allocate(capacity: capacity)
    }

    deinit {
        unsafe base.deallocate()
    }

    subscript(index: Int) -> Element {
        @inline(__always) get {
            precondition(index >= 0 && index < count)
            return unsafe base[index]
        }
        @inline(__always) set {
            precondition(index >= 0 && index < count)
            unsafe base[index] = newValue
        }
    }

    @inline(__always)
    func append(_ element: Element) {
        if count == capacity { grow(by: 1) }
        unsafe base[count] = element
        count += 1
    }

    @inline(__always)
    func append(_ elements: UnsafeBufferPointer<Element>) {
        guard let source = elements.baseAddress else { return }
        if elements.count > capacity - count { grow(by: elements.count) }
        unsafe (base + count).initialize(from: source, count: elements.count)
        count += elements.count
    }

    func append(contentsOf elements: some Sequence<Element>) {
        let copied: Void? = elements.withContiguousStorageIfAvailable { unsafe append($0) }
        if copied == nil {
            for element in elements { append(element) }
        }
    }

    /// Keeps only the first elements.
    @inline(__always)
    func truncate(to newCount: Int) {
        count = min(count, max(newCount, 0))
    }

    /// Passes all elements to a function; they are valid while it runs.
    func withElements<Result>(
        _ body: (UnsafeBufferPointer<Element>) throws -> Result
    ) rethrows -> Result {
        try unsafe body(UnsafeBufferPointer(start: base, count: count))
    }

    /// Makes room for more elements: at least twice the capacity, so that growing costs little.
    private func grow(by more: Int) {
        let wanted = max(2 * capacity, count + more)
        let moved = UnsafeMutablePointer<Element>.allocate(capacity: wanted)
        unsafe moved.moveInitialize(from: base, count: count)
        unsafe base.deallocate()
        unsafe base = moved
        capacity = wanted
    }
}

extension GrowingBuffer<UInt8> {
    /// Adds a number, most significant byte first.
    @inline(__always)
    func append<Number: FixedWidthInteger>(bigEndian number: Number) {
        unsafe withUnsafeBytes(of: number.bigEndian) {
            unsafe append($0.assumingMemoryBound(to: UInt8.self))
        }
    }
}
