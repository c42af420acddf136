internal import CTagDrawing

/// A picture laid out as PNG stores it, ready for libpng.
package struct PNGRows {
    let width: Int
    let height: Int
    let format: PNGFormat
    /// All rows, each beginning at a byte; samples below 8 bits packed from the high bits down,
    /// samples of 16 bits with the high byte first.
    let samples: [UInt8]
    /// Whether to interlace (Adam7).
    var interlaced = false
    /// The colours of a format with a palette.
    var palette: [Colour] = []
    /// The sample that is transparent in a format without opacity and palette.
    var key: UInt16?
    /// Whether to rather be quick than make a small file.
    package var isQuick = false

    /// Takes rows of samples as they are.
    package init(width: Int, height: Int, format: PNGFormat, samples: [UInt8]) {
        self.width = width
        self.height = height
        self.format = format
        self.samples = samples
    }

    /// The picture as a PNG file.
    ///
    /// - Returns: The bytes of the file.
    /// - Throws: `TagDrawingError.png` when libpng refuses the picture.
    package func file() throws -> [UInt8] {
        let entries = palette.flatMap { [$0.red, $0.green, $0.blue, $0.alpha] }
        return try unsafe samples.withUnsafeBufferPointer { rowBytes in
            try unsafe entries.withUnsafeBufferPointer { entryBytes in
                var picture = unsafe tag_png_picture()
                unsafe picture.width = UInt32(width)
                unsafe picture.height = UInt32(height)
                unsafe picture.colour_type = Int32(format.colourType)
                unsafe picture.bit_depth = Int32(format.depth)
                unsafe picture.interlaced = interlaced
                unsafe picture.quick = isQuick
                unsafe picture.rows = rowBytes.baseAddress
                unsafe picture.row_bytes = samples.count / height
                unsafe picture.palette = entryBytes.baseAddress
                unsafe picture.palette_count = Int32(palette.count)
                if let key {
                    unsafe picture.has_key = true
                    unsafe picture.key_grey = key
                    unsafe picture.key_red = key
                    unsafe picture.key_green = key
                    unsafe picture.key_blue = key
                }
                var file = unsafe tag_png_write(&picture)
                defer { unsafe tag_picture_file_free(&file) }
                guard let bytes = unsafe file.bytes else {
                    throw TagDrawingError.png(unsafe file.words)
                }
                return unsafe Array(UnsafeBufferPointer(start: bytes, count: file.count))
            }
        }
    }
}
