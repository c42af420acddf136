internal import CPrinting

/// Collects the bytes that cairo writes; it must outlive the surface that writes to it.
@safe
final class ByteSink {
    private(set) var bytes: [UInt8] = []

    /// The argument that cairo passes to ``append``.
    var closure: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    /// The function that cairo calls.
    static let append: cairo_write_func_t = { closure, data, count in
        guard let closure = unsafe closure, let data = unsafe data else {
            return CAIRO_STATUS_WRITE_ERROR
        }
        let sink = unsafe Unmanaged<ByteSink>.fromOpaque(closure).takeUnretainedValue()
        unsafe sink.bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(count)))
        return CAIRO_STATUS_SUCCESS
    }
}
