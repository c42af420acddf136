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
