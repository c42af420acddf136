internal import CTagDrawing

extension GreyImage {
    /// The picture as a PNG file.
    ///
    /// - Parameters:
    ///   - format: The colour type and depth. Levels are rounded to those that it has.
    ///   - interlaced: Whether to interlace (Adam7).
    ///   - transparency: The level to leave out; none if nil.
    /// - Returns: The bytes of the file.
    /// - Throws: `TagDrawingError.png` when libpng refuses the picture.
    public func png(
        as format: PNGFormat = .grey8,
        interlaced: Bool = false,
        transparency: PNGTransparency? = nil
    ) throws -> [UInt8] {
        guard let transparency else {
            return try PNGWriter(format: format, interlaced: interlaced).write(self)
        }
        guard format.hasAlpha || format.hasPalette else {
            let writer = PNGWriter(format: format, interlaced: interlaced, key: transparency.level)
            return try writer.write(self)
        }
        let hidden = GreyImage(
            width: width,
            height: height,
            samples: samples.map { $0 == transparency.level ? transparency.hidden : $0 }
        )
        let opacity = GreyImage(
            width: width,
            height: height,
            samples: samples.map { $0 == transparency.level ? 0 : 255 }
        )
        let picture = ColourImage(red: hidden, green: hidden, blue: hidden, alpha: opacity)
        return try picture.png(as: format, interlaced: interlaced)
    }
}

extension ColourImage {
    /// The picture as a PNG file.
    ///
    /// - Parameters:
    ///   - format: The colour type and depth. Colours become what it has: their luminance, or
    ///     the nearest of a palette; opacity is lost where there is none.
    ///   - interlaced: Whether to interlace (Adam7).
    /// - Returns: The bytes of the file.
    /// - Throws: `TagDrawingError.png` when libpng refuses the picture.
    public func png(as format: PNGFormat = .rgba8, interlaced: Bool = false) throws -> [UInt8] {
        try PNGWriter(format: format, interlaced: interlaced).write(self)
    }
}

/// Lays out pixels as PNG stores them, and hands them to libpng.
private struct PNGWriter {
    let format: PNGFormat
    let interlaced: Bool
    /// The level that is transparent in a format without opacity and palette.
    var key: UInt8?

    func write(_ source: some PixelSource) throws -> [UInt8] {
        let palette = format.hasPalette ? palette(for: source) : nil
        var rows: [UInt8] = []
        var packing = SamplePacking(depth: format.depth)
        for row in 0..<source.height {
            for column in 0..<source.width {
                let colour = source.pixel(column: column, row: row)
                if let palette {
                    packing.append(Int(palette.entry(for: colour)), to: &rows)
                } else {
                    for level in levels(of: colour) {
                        packing.append(packing.sample(for: level), to: &rows)
                    }
                }
            }
            packing.endRow(&rows)
        }
        return try write(
            rows: rows,
            palette: palette?.colours ?? [],
            width: source.width,
            height: source.height
        )
    }

    private func levels(of colour: Colour) -> [UInt8] {
        switch format.colourType {
        case 0: [colour.luminance]
        case 2: [colour.red, colour.green, colour.blue]
        case 4: [colour.luminance, colour.alpha]
        default: [colour.red, colour.green, colour.blue, colour.alpha]
        }
    }

    private func palette(for source: some PixelSource) -> Palette {
        let pixels = (0..<source.height).lazy.flatMap { row in
            (0..<source.width).lazy.map { source.pixel(column: $0, row: row) }
        }
        return Palette(for: pixels, limit: 1 << format.depth)
    }

    private func write(
        rows: [UInt8],
        palette: [Colour],
        width: Int,
        height: Int
    ) throws -> [UInt8] {
        let entries = palette.flatMap { [$0.red, $0.green, $0.blue, $0.alpha] }
        let keySample = key.map { UInt16(SamplePacking(depth: format.depth).sample(for: $0)) }
        return try unsafe rows.withUnsafeBufferPointer { rowBytes in
            try unsafe entries.withUnsafeBufferPointer { entryBytes in
                var picture = unsafe tag_png_picture()
                unsafe picture.width = UInt32(width)
                unsafe picture.height = UInt32(height)
                unsafe picture.colour_type = Int32(format.colourType)
                unsafe picture.bit_depth = Int32(format.depth)
                unsafe picture.interlaced = interlaced
                unsafe picture.rows = rowBytes.baseAddress
                unsafe picture.row_bytes = rows.count / height
                unsafe picture.palette = entryBytes.baseAddress
                unsafe picture.palette_count = Int32(palette.count)
                if let keySample {
                    unsafe picture.has_key = true
                    unsafe picture.key_grey = keySample
                    unsafe picture.key_red = keySample
                    unsafe picture.key_green = keySample
                    unsafe picture.key_blue = keySample
                }
                var file = unsafe tag_png_write(&picture)
                defer { unsafe tag_png_file_free(&file) }
                guard let bytes = unsafe file.bytes else {
                    throw TagDrawingError.png(unsafe message(of: file))
                }
                return unsafe Array(UnsafeBufferPointer(start: bytes, count: file.count))
            }
        }
    }

    @unsafe
    private func message(of file: tag_png_file) -> String {
        unsafe withUnsafeBytes(of: file.message) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

/// Samples of 1 to 16 bits in bytes: below 8 bits from the high bits down, above high byte first.
private struct SamplePacking {
    let depth: Int
    private var pending = 0
    private var pendingBits = 0

    init(depth: Int) {
        self.depth = depth
    }

    /// The sample of this depth that is nearest to a level of 8 bits.
    func sample(for level: UInt8) -> Int {
        (Int(level) * ((1 << depth) - 1) + 127) / 255
    }

    mutating func append(_ sample: Int, to rows: inout [UInt8]) {
        if depth == 16 {
            rows.append(UInt8(sample >> 8))
            rows.append(UInt8(sample & 0xFF))
            return
        }
        pending = pending << depth | sample
        pendingBits += depth
        if pendingBits == 8 {
            rows.append(UInt8(pending))
            pending = 0
            pendingBits = 0
        }
    }

    /// Fills the last byte of a row: each row starts at a byte.
    mutating func endRow(_ rows: inout [UInt8]) {
        guard pendingBits > 0 else { return }
        rows.append(UInt8(pending << (8 - pendingBits)))
        pending = 0
        pendingBits = 0
    }
}
