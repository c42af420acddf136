internal import CTagDrawing

extension PixelSource {
    /// The picture as a JPEG file; opacity is lost.
    ///
    /// - Parameter format: How it is stored; as cameras do unless told otherwise.
    /// - Returns: The bytes of the file.
    /// - Throws: `TagDrawingError.jpeg` when libjpeg refuses the picture.
    public func jpeg(as format: JPEGFormat = JPEGFormat()) throws -> [UInt8] {
        var samples: [UInt8] = []
        samples.reserveCapacity(width * height * format.colours.channels)
        for row in 0..<height {
            for column in 0..<width {
                let colour = pixel(column: column, row: row)
                switch format.colours {
                case .grey: samples.append(colour.luminance)
                case .yCbCr, .rgb: samples += [colour.red, colour.green, colour.blue]
                case .cmyk, .ycck: samples += colour.inks
                }
            }
        }
        return try format.file(of: samples, width: width, height: height)
    }
}

extension Colour {
    /// The light that cyan, magenta, yellow and black leave, with as much black as can be.
    fileprivate var inks: [UInt8] {
        let light = max(red, green, blue)
        guard light > 0 else { return [255, 255, 255, 0] }
        return [red, green, blue].map { UInt8(Int($0) * 255 / Int(light)) } + [light]
    }
}

extension JPEGFormat {
    /// Stores rows of samples.
    ///
    /// - Parameters:
    ///   - samples: The samples of each pixel, row by row, as many as the colours have.
    ///   - width: Pixels in a row.
    ///   - height: Rows.
    /// - Returns: The bytes of the file.
    /// - Throws: `TagDrawingError.jpeg` when libjpeg refuses the picture.
    package func file(of samples: [UInt8], width: Int, height: Int) throws -> [UInt8] {
        try unsafe samples.withUnsafeBufferPointer { rows in
            var picture = unsafe tag_jpeg_picture()
            unsafe picture.width = UInt32(width)
            unsafe picture.height = UInt32(height)
            unsafe picture.channels = Int32(colours.channels)
            unsafe picture.rows = rows.baseAddress
            unsafe picture.quality = Int32(quality)
            unsafe picture.is_direct = colours.isDirect
            // Where there are no colours beside it, luminance cannot be stored more densely.
            unsafe picture.luminance_columns = Int32(colours.isDirect ? 1 : sampling.columns)
            unsafe picture.luminance_rows = Int32(colours.isDirect ? 1 : sampling.rows)
            unsafe picture.is_progressive = isProgressive
            unsafe picture.is_separate = isSeparate
            unsafe picture.is_arithmetic = isArithmetic
            unsafe picture.restart_interval = Int32(restartInterval)
            var file = unsafe tag_jpeg_write(&picture)
            defer { unsafe tag_picture_file_free(&file) }
            guard let bytes = unsafe file.bytes else {
                throw TagDrawingError.jpeg(unsafe file.words)
            }
            return unsafe Array(UnsafeBufferPointer(start: bytes, count: file.count))
        }
    }
}

extension tag_picture_file {
    /// Why there is no file.
    @unsafe
    var words: String {
        unsafe withUnsafeBytes(of: message) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
