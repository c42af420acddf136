internal import Glibc

/// The number of bytes read at a time: at least a few hundred events.
private let bufferSize = 65536

/// Reads the pending events; empty if there are none.
@Sendable func readKernelEvents(_ events: Int32) -> [KernelEvent] {
    unsafe withUnsafeTemporaryAllocation(
        byteCount: bufferSize,
        alignment: MemoryLayout<inotify_event>.alignment
    ) { buffer in
        var count: Int
        repeat {
            count = unsafe read(events, buffer.baseAddress, buffer.count)
        } while count < 0 && errno == EINTR
        // Even if it fails for another reason than a lack of events, the timers still work.
        guard count > 0 else { return [] }
        return unsafe KernelEvent.parse(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
}

extension KernelEvent {
    static func parse(_ bytes: UnsafeRawBufferPointer) -> [KernelEvent] {
        let headerSize = MemoryLayout<inotify_event>.size
        var events: [KernelEvent] = []
        var offset = 0
        while offset + headerSize <= bytes.count {
            let header = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            offset += headerSize
            let end = min(offset + Int(header.len), bytes.count)
            // The name is padded with zero bytes.
            let name = unsafe bytes[offset..<end].prefix { $0 != 0 }
            offset = end
            events.append(
                unsafe KernelEvent(watch: header.wd, mask: header.mask, name: Array(name))
            )
        }
        return events
    }
}
