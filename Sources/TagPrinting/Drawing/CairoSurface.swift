internal import CPrinting

/// A surface of cairo, which goes with its owner.
@safe
struct CairoSurface: ~Copyable {
    /// The surface; it is not to be used once its owner is gone.
    let pointer: OpaquePointer

    private let sink: ByteSink?

    /// Takes a surface that was made.
    ///
    /// - Parameters:
    ///   - made: What cairo has made.
    ///   - sink: Where it writes to, which is kept as long.
    /// - Throws: ``TagPrintingError`` where there was no memory for it.
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
        // A drawing may refer to it still: what is written at the end is written now, while there is
        // something that takes it.
        unsafe cairo_surface_finish(pointer)
        unsafe cairo_surface_destroy(pointer)
    }
}
