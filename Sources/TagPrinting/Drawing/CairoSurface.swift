internal import CPrinting

/// A cairo surface, which is freed with its owner.
@safe
struct CairoSurface: ~Copyable {
    /// The surface; it is invalid after its owner is gone.
    let pointer: OpaquePointer

    private let sink: ByteSink?

    /// Takes ownership of a surface.
    ///
    /// - Parameters:
    ///   - made: The surface from cairo.
    ///   - sink: The sink that it writes to, which is kept as long.
    /// - Throws: ``TagPrintingError`` if there was no memory for it.
    init(_ made: OpaquePointer?, writingTo sink: ByteSink? = nil) throws {
        let status = unsafe cairo_surface_status(made)
        guard let made = unsafe made, status == CAIRO_STATUS_SUCCESS else {
            unsafe cairo_surface_destroy(made)
            throw TagPrintingError(status)
        }
        unsafe pointer = made
        self.sink = sink
    }

    deinit {
        // A drawing may still refer to the surface: finish it now, while its sink still exists to
        // take the last bytes.
        unsafe cairo_surface_finish(pointer)
        unsafe cairo_surface_destroy(pointer)
    }
}

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
