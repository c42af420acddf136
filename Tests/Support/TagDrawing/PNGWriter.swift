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
        var file = PNGRows(
            width: source.width,
            height: source.height,
            format: format,
            samples: rows
        )
        file.interlaced = interlaced
        file.palette = palette?.colours ?? []
        file.key = key.map { UInt16(SamplePacking(depth: format.depth).sample(for: $0)) }
        return try file.file()
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
