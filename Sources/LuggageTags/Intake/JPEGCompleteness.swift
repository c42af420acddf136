/// Decides from the bytes of a file alone whether a JPEG has been written to its end.
///
/// It walks the markers (ITU-T T.81, annex B) to the one that ends the picture. A JPEG has no checksums,
/// so what was reserved and not written is seen only where it hides that end.
struct JPEGCompleteness {
    private(set) var state = PictureCompleteness.State.unfinished

    private enum Part {
        case signature
        /// The data of a picture, and whatever else is between markers.
        case data
        /// Behind the byte with which each marker begins.
        case marker
        case length
        case segment(remaining: Int)
    }

    /// The marker that begins the picture, and the first byte of the next one.
    static let signature: [UInt8] = [0xFF, 0xD8, 0xFF]
    /// The marker that ends the picture.
    static let lastMarker: [UInt8] = [0xFF, 0xD9]

    private var part = Part.signature
    /// The bytes of a part of fixed length that have come so far.
    private var collected: [UInt8] = []

    /// Goes on with the next bytes of the file.
    mutating func update(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while state == .unfinished, !rest.isEmpty {
            switch part {
            case .signature: takeSignature(&rest)
            case .data: takeData(&rest)
            case .marker: takeMarker(&rest)
            case .length: takeLength(&rest)
            case .segment(let remaining): takeSegment(&rest, remaining)
            }
        }
    }

    private mutating func takeSignature(_ rest: inout ArraySlice<UInt8>) {
        let byte = rest.removeFirst()
        guard byte == Self.signature[collected.count] else { return state = .foreign }
        collected.append(byte)
        if collected.count == Self.signature.count { begin(.marker) }
    }

    private mutating func takeData(_ rest: inout ArraySlice<UInt8>) {
        guard let start = rest.firstIndex(of: 0xFF) else { return rest = [] }
        rest = rest[(start + 1)...]
        begin(.marker)
    }

    private mutating func takeMarker(_ rest: inout ArraySlice<UInt8>) {
        switch rest.removeFirst() {
        // Markers may have any number of bytes before them.
        case 0xFF: break
        // A byte 255 of the data; and markers in it, which nothing follows.
        case 0x00, 0x01, 0xD0...0xD7: begin(.data)
        case 0xD9: state = .complete
        // The beginning of another picture before the end of this one.
        case 0xD8: state = .inconsistent
        default: begin(.length)
        }
    }

    private mutating func takeLength(_ rest: inout ArraySlice<UInt8>) {
        collected.append(rest.removeFirst())
        guard collected.count == 2 else { return }
        let length = Int(collected[0]) << 8 | Int(collected[1])
        // It counts its own two bytes.
        guard length >= 2 else { return state = .inconsistent }
        begin(length == 2 ? .data : .segment(remaining: length - 2))
    }

    private mutating func takeSegment(_ rest: inout ArraySlice<UInt8>, _ remaining: Int) {
        let count = min(remaining, rest.count)
        rest = rest.dropFirst(count)
        part = count < remaining ? .segment(remaining: remaining - count) : .data
    }

    private mutating func begin(_ next: Part) {
        part = next
        collected = []
    }
}
