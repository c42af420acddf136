/// What the first byte of a value tells about the rest.
struct ValueHeader {
    let kind: ValueKind

    /// The number of bytes that hold the length: 0, 1, 2 or 4.
    let lengthSize: Int

    /// The number of payload bytes, or items, in addition to that length.
    ///
    /// The type of an extension is one byte of its payload.
    let count: Int

    /// Nil for the one byte that begins no value.
    @inline(__always)
    init?(_ marker: UInt8) {
        switch marker {
        case 0x00...0x7F, 0xE0...0xFF: self.init(.integer)
        case 0x80...0x8F: self.init(.map, count: marker & 0x0F)
        case 0x90...0x9F: self.init(.array, count: marker & 0x0F)
        case 0xA0...0xBF: self.init(.text, count: marker & 0x1F)
        case Marker.null: self.init(.null)
        case Marker.false, Marker.true: self.init(.boolean)
        case Marker.binary8: self.init(.binary, lengthSize: 1)
        case Marker.binary16: self.init(.binary, lengthSize: 2)
        case Marker.binary32: self.init(.binary, lengthSize: 4)
        case Marker.extension8: self.init(.extension, lengthSize: 1, count: 1)
        case Marker.extension16: self.init(.extension, lengthSize: 2, count: 1)
        case Marker.extension32: self.init(.extension, lengthSize: 4, count: 1)
        case Marker.float32: self.init(.float, count: 4)
        case Marker.float64: self.init(.double, count: 8)
        case Marker.unsigned8, Marker.signed8: self.init(.integer, count: 1)
        case Marker.unsigned16, Marker.signed16: self.init(.integer, count: 2)
        case Marker.unsigned32, Marker.signed32: self.init(.integer, count: 4)
        case Marker.unsigned64, Marker.signed64: self.init(.integer, count: 8)
        case Marker.fixedExtension1: self.init(.extension, count: 1 + 1)
        case Marker.fixedExtension2: self.init(.extension, count: 1 + 2)
        case Marker.fixedExtension4: self.init(.extension, count: 1 + 4)
        case Marker.fixedExtension8: self.init(.extension, count: 1 + 8)
        case Marker.fixedExtension16: self.init(.extension, count: 1 + 16)
        case Marker.text8: self.init(.text, lengthSize: 1)
        case Marker.text16: self.init(.text, lengthSize: 2)
        case Marker.text32: self.init(.text, lengthSize: 4)
        case Marker.array16: self.init(.array, lengthSize: 2)
        case Marker.array32: self.init(.array, lengthSize: 4)
        case Marker.map16: self.init(.map, lengthSize: 2)
        case Marker.map32: self.init(.map, lengthSize: 4)
        default: return nil
        }
    }

    @inline(__always)
    private init(_ kind: ValueKind, lengthSize: Int = 0, count: UInt8 = 0) {
        self.kind = kind
        self.lengthSize = lengthSize
        self.count = Int(count)
    }
}

/// The kinds of values in the format.
enum ValueKind: UInt8, Hashable {
    case null, boolean, integer, float, double, text, binary, array, map, `extension`

    /// The kind in the words of an error message.
    var phrase: String {
        switch self {
        case .null: "nil"
        case .boolean: "a boolean"
        case .integer: "an integer"
        case .float, .double: "a floating-point number"
        case .text: "text"
        case .binary: "binary data"
        case .array: "an array"
        case .map: "a map"
        case .extension: "an extension"
        }
    }
}
