internal import CDigests

/// Decides from the bytes of a file alone whether a PNG has been written to its end.
///
/// It walks the chunks and checks their checksums (PNG, third edition, section 5) to the last one.
struct PNGCompleteness {
    private(set) var state = PictureCompleteness.State.unfinished

    private enum Part {
        case signature
        /// Zeros: space that was reserved for a file before its first bytes are written.
        case reserved
        case header
        case data(remaining: UInt32)
        case checksum
    }

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let end: [UInt8] = Array("IEND".utf8)
    /// The last chunk, the same in every file: length 0, type and checksum.
    static let lastChunk: [UInt8] = [0, 0, 0, 0] + end + [0xAE, 0x42, 0x60, 0x82]

    private var part = Part.signature
    /// The bytes of a part of fixed length that have come so far.
    private var collected: [UInt8] = []
    private var isLast = false
    private var checksum: UInt32 = 0
    private var isConsistent = true

    /// Goes on with the next bytes of the file.
    mutating func update(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while state == .unfinished, !rest.isEmpty {
            switch part {
            case .signature: takeSignature(&rest)
            case .reserved: rest = []
            case .header: takeHeader(&rest)
            case .data(let remaining): takeData(&rest, remaining)
            case .checksum: takeChecksum(&rest)
            }
        }
    }

    private mutating func takeSignature(_ rest: inout ArraySlice<UInt8>) {
        let byte = rest.removeFirst()
        if byte == 0 && collected.isEmpty { return part = .reserved }
        guard byte == Self.signature[collected.count] else { return state = .foreign }
        collected.append(byte)
        if collected.count == Self.signature.count { begin(.header) }
    }

    private mutating func takeHeader(_ rest: inout ArraySlice<UInt8>) {
        guard collect(8, from: &rest) else { return }
        let length = Self.number(collected.prefix(4))
        let type = collected.suffix(4)
        // A chunk has at most 2³¹ − 1 bytes, and a type of four letters. Anything else is reserved space
        // that was not written, or damage; the bytes alone do not tell which.
        guard length <= Int32.max, type.allSatisfy(Self.isLetter) else {
            return state = .inconsistent
        }
        isLast = Array(type) == Self.end
        checksum = Self.checksum(0, type)
        part = length > 0 ? .data(remaining: length) : .checksum
        collected = []
    }

    private mutating func takeData(_ rest: inout ArraySlice<UInt8>, _ remaining: UInt32) {
        let piece = rest.prefix(Int(remaining))
        checksum = Self.checksum(checksum, piece)
        rest = rest.dropFirst(piece.count)
        let left = remaining - UInt32(piece.count)
        part = left > 0 ? .data(remaining: left) : .checksum
    }

    private mutating func takeChecksum(_ rest: inout ArraySlice<UInt8>) {
        guard collect(4, from: &rest) else { return }
        if Self.number(collected[...]) != checksum { isConsistent = false }
        if isLast { return state = isConsistent ? .complete : .inconsistent }
        begin(.header)
    }

    private mutating func begin(_ next: Part) {
        part = next
        collected = []
    }

    /// Collects bytes of a part of fixed length.
    ///
    /// - Returns: Whether all have come.
    private mutating func collect(_ count: Int, from rest: inout ArraySlice<UInt8>) -> Bool {
        let piece = rest.prefix(count - collected.count)
        collected += piece
        rest = rest.dropFirst(piece.count)
        return collected.count == count
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte & 0xDF)
    }

    private static func checksum(_ start: UInt32, _ bytes: ArraySlice<UInt8>) -> UInt32 {
        unsafe bytes.withUnsafeBytes { buffer in
            let bytes = unsafe buffer.bindMemory(to: UInt8.self).baseAddress
            return UInt32(unsafe crc32_z(UInt(start), bytes, buffer.count))
        }
    }
}
