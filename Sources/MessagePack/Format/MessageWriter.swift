/// Adds values to a message, each in the shortest form of its kind.
struct MessageWriter {
    let bytes: GrowingBuffer<UInt8>

    init(capacity: Int = 64) {
        bytes = GrowingBuffer(capacity: capacity)
    }

    func append(null: Void) {
        bytes.append(Marker.null)
    }

    func append(_ flag: Bool) {
        bytes.append(flag ? Marker.true : Marker.false)
    }

    @inline(__always)
    func append<Number: FixedWidthInteger>(integer number: Number) {
        if number >= 0 {
            append(unsigned: UInt64(truncatingIfNeeded: number))
        } else {
            append(negative: Int64(truncatingIfNeeded: number))
        }
    }

    private func append(unsigned number: UInt64) {
        switch number {
        case 0...0x7F:
            bytes.append(UInt8(truncatingIfNeeded: number))
        case 0...0xFF:
            append(Marker.unsigned8, UInt8(truncatingIfNeeded: number))
        case 0...0xFFFF:
            append(Marker.unsigned16, UInt16(truncatingIfNeeded: number))
        case 0...0xFFFF_FFFF:
            append(Marker.unsigned32, UInt32(truncatingIfNeeded: number))
        default:
            append(Marker.unsigned64, number)
        }
    }

    private func append(negative number: Int64) {
        switch number {
        case -0x20..<0:
            bytes.append(UInt8(truncatingIfNeeded: number))
        case -0x80..<0:
            append(Marker.signed8, Int8(truncatingIfNeeded: number))
        case -0x8000..<0:
            append(Marker.signed16, Int16(truncatingIfNeeded: number))
        case -0x8000_0000..<0:
            append(Marker.signed32, Int32(truncatingIfNeeded: number))
        default:
            append(Marker.signed64, number)
        }
    }

    func append(_ number: Float) {
        append(Marker.float32, number.bitPattern)
    }

    func append(_ number: Double) {
        append(Marker.float64, number.bitPattern)
    }

    @inline(__always)
    func append(_ text: String) throws(WritingError) {
        var text = text
        // The pointer stays in this closure.
        let failure = text.withUTF8 { utf8 -> WritingError? in
            do throws(WritingError) {
                try appendLength(ofText: utf8.count)
            } catch {
                return error
            }
            unsafe bytes.append(utf8)
            return nil
        }
        if let failure { throw failure }
    }

    @inline(__always)
    private func appendLength(ofText count: Int) throws(WritingError) {
        if count < 0x20 {
            bytes.append(Marker.fixedText | UInt8(truncatingIfNeeded: count))
        } else {
            try appendLength(count, Marker.text8, Marker.text16, Marker.text32)
        }
    }

    func append(binary data: some Collection<UInt8>) throws(WritingError) {
        try appendLength(data.count, Marker.binary8, Marker.binary16, Marker.binary32)
        bytes.append(contentsOf: data)
    }

    func append(
        extensionType type: Int8,
        _ data: some Collection<UInt8>
    ) throws(WritingError) {
        try appendHeader(extensionType: type, count: data.count)
        bytes.append(contentsOf: data)
    }

    func append(_ timestamp: MessagePackTimestamp) throws(WritingError) {
        let type = MessagePackTimestamp.extensionType
        switch timestamp.payload {
        case .seconds(let seconds):
            try appendHeader(extensionType: type, count: 4)
            bytes.append(bigEndian: seconds)
        case .both(let both):
            try appendHeader(extensionType: type, count: 8)
            bytes.append(bigEndian: both)
        case .long(let nanoseconds, let seconds):
            try appendHeader(extensionType: type, count: 12)
            bytes.append(bigEndian: nanoseconds)
            bytes.append(bigEndian: seconds)
        }
    }

    private func appendHeader(extensionType type: Int8, count: Int) throws(WritingError) {
        switch count {
        case 1: bytes.append(Marker.fixedExtension1)
        case 2: bytes.append(Marker.fixedExtension2)
        case 4: bytes.append(Marker.fixedExtension4)
        case 8: bytes.append(Marker.fixedExtension8)
        case 16: bytes.append(Marker.fixedExtension16)
        default:
            let markers = (Marker.extension8, Marker.extension16, Marker.extension32)
            try appendLength(count, markers.0, markers.1, markers.2)
        }
        bytes.append(UInt8(bitPattern: type))
    }

    /// Adds the header of an array.
    func append(arrayOf count: Int) throws(WritingError) {
        try append(count, fixed: Marker.fixedArray, Marker.array16, Marker.array32)
    }

    /// Adds the header of a map.
    func append(mapOf count: Int) throws(WritingError) {
        try append(count, fixed: Marker.fixedMap, Marker.map16, Marker.map32)
    }

    private func append(
        _ count: Int,
        fixed: UInt8,
        _ two: UInt8,
        _ four: UInt8
    ) throws(WritingError) {
        if count < 0x10 {
            bytes.append(fixed | UInt8(truncatingIfNeeded: count))
        } else {
            try appendLength(count, nil, two, four)
        }
    }

    private func appendLength(
        _ count: Int,
        _ one: UInt8?,
        _ two: UInt8,
        _ four: UInt8
    ) throws(WritingError) {
        if let one, let length = UInt8(exactly: count) {
            append(one, length)
        } else if let length = UInt16(exactly: count) {
            append(two, length)
        } else if let length = UInt32(exactly: count) {
            append(four, length)
        } else {
            throw WritingError.tooLong
        }
    }

    private func append<Number: FixedWidthInteger>(_ marker: UInt8, _ number: Number) {
        bytes.append(marker)
        bytes.append(bigEndian: number)
    }
}

/// The reason why the format has no form for a value.
struct WritingError: Error {
    let sentence: String

    /// The value is longer than the format's lengths allow.
    static let tooLong = Self(
        sentence: "Text, data, arrays and maps have less than 4 Gi bytes or items."
    )

    /// The number needs more bits than the format has.
    static func tooLarge(_ number: some BinaryInteger) -> Self {
        Self(sentence: "Integers have 64 bits, and \(number) has more; encode it as text.")
    }
}
