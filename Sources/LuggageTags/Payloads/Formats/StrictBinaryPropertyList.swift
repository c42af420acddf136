/// Checks that a payload is a binary property list and a tree, before it is decoded.
///
/// Foundation's parser traps on some counts, takes either of two members of the same name, and follows
/// objects that contain themselves. The layout is defined in Core Foundation's `CFBinaryPList.c`: a magic
/// number, objects, a table of their offsets, and a trailer of 32 bytes with the offset of the table.
struct StrictBinaryPropertyList {
    private let bytes: [UInt8]
    private let offsets: [Int]
    private let referenceSize: Int
    private var isVisited: [Bool]
    /// The first object with each text that is a name.
    ///
    /// A long name may have many references, and is read once.
    private var objects: [[UInt8]: Int] = [:]
    private var names: [Int: Int] = [:]
    /// The total size in bytes of the objects so far.
    ///
    /// Reading overlapping objects could take time quadratic in the payload's size. So their total size
    /// must not exceed the payload.
    private var visitedBytes = 0

    /// Checks a whole payload.
    static func check(_ payload: [UInt8]) throws(PayloadFlaw) {
        guard payload.starts(with: "bplist00".utf8) else {
            throw PayloadFlaw("only version 00 is known", at: 6)
        }
        guard payload.count >= 8 + 1 + 1 + 32 else { throw PayloadFlaw("it ends early") }
        let trailer = payload.count - 32
        let offsetSize = Int(payload[trailer + 6])
        let referenceSize = Int(payload[trailer + 7])
        func field(_ number: Int) throws(PayloadFlaw) -> Int {
            let start = trailer + 8 + 8 * number
            guard let value = Int(exactly: number64(payload[start..<start + 8])) else {
                throw PayloadFlaw("its trailer is wrong", at: start)
            }
            return value
        }
        let (count, top, table) = (try field(0), try field(1), try field(2))
        guard 1...8 ~= offsetSize, 1...8 ~= referenceSize, 1...payload.count ~= count, top < count,
            9...trailer ~= table, trailer - table == count * offsetSize
        else { throw PayloadFlaw("its trailer is wrong", at: trailer) }
        var offsets: [Int] = []
        offsets.reserveCapacity(count)
        for start in stride(from: table, to: trailer, by: offsetSize) {
            let offset = number64(payload[start..<start + offsetSize])
            guard offset >= 8, offset < UInt64(table) else {
                throw PayloadFlaw("an object is outside of it", at: start)
            }
            offsets.append(Int(offset))
        }
        var check = Self(Array(payload[..<table]), offsets, referenceSize)
        try check.object(top, depth: 0)
    }

    private init(_ bytes: [UInt8], _ offsets: [Int], _ referenceSize: Int) {
        self.bytes = bytes
        self.offsets = offsets
        self.referenceSize = referenceSize
        isVisited = [Bool](repeating: false, count: offsets.count)
    }

    private static func number64(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Checks an object and the objects in it.
    private mutating func object(_ number: Int, depth: Int) throws(PayloadFlaw) {
        let start = offsets[number]
        let marker = bytes[start]
        let isContainer = marker >> 4 == 0xA || marker >> 4 == 0xD
        if depth > PayloadFlaw.mostDepth { throw .tooDeep(at: start) }
        if isVisited[number] {
            // Writers reuse equal texts and numbers; a reused container might contain itself.
            if isContainer { throw PayloadFlaw("an object is in two places", at: start) }
            return
        }
        isVisited[number] = true
        var content = try content(at: start)
        visitedBytes += content.endIndex - start
        if visitedBytes > bytes.count { throw PayloadFlaw("its objects overlap", at: start) }
        guard isContainer else { return }
        if marker >> 4 == 0xD {
            let references = content.prefix(content.count / 2)
            try checkNames(references, at: start)
            content = content.dropFirst(references.count)
        }
        for reference in stride(from: content.startIndex, to: content.endIndex, by: referenceSize) {
            try object(target(at: reference), depth: depth + 1)
        }
    }

    private func target(at position: Int) throws(PayloadFlaw) -> Int {
        let number = Self.number64(bytes[position..<position + referenceSize])
        guard number < UInt64(offsets.count) else {
            throw PayloadFlaw("an object is referred to that is not there", at: position)
        }
        return Int(number)
    }

    private mutating func checkNames(_ references: ArraySlice<UInt8>, at start: Int)
        throws(PayloadFlaw)
    {
        var names: Set<Int> = []
        for position in stride(
            from: references.startIndex,
            to: references.endIndex,
            by: referenceSize
        ) where !names.insert(try name(at: position)).inserted {
            throw PayloadFlaw("two members have the same name", at: start)
        }
    }

    /// The number of the first object with the same text as a referenced one.
    private mutating func name(at position: Int) throws(PayloadFlaw) -> Int {
        let number = try target(at: position)
        if let known = names[number] { return known }
        guard let text = try text(at: offsets[number]) else {
            throw PayloadFlaw("the name of a member is not text", at: position)
        }
        try object(number, depth: 0)
        let first = objects[text] ?? number
        objects[text] = first
        names[number] = first
        return first
    }

    /// The bytes of an object after its marker and count.
    private func content(at start: Int) throws(PayloadFlaw) -> ArraySlice<UInt8> {
        let marker = bytes[start]
        let low = Int(marker & 0xF)
        switch (marker >> 4, low) {
        case (0x0, 0x0), (0x0, 0x8), (0x0, 0x9): return try slice(start + 1, count: 0)
        case (0x1, 0...3), (0x2, 2...3): return try slice(start + 1, count: 1 << low)
        case (0x1, 4):
            let content = try slice(start + 1, count: 16)
            guard content.prefix(8).allSatisfy({ $0 == 0 }) else {
                throw PayloadFlaw("a number is too large", at: start)
            }
            return content
        case (0x3, 0x3): return try slice(start + 1, count: 8)
        case (0x4, _): return try counted(start, size: 1)
        case (0x5, _), (0x6, _):
            let content = try counted(start, size: marker >> 4 == 5 ? 1 : 2)
            guard let text = try text(at: start) else {
                throw PayloadFlaw("a text is malformed", at: start)
            }
            if text.elementsEqual(PayloadFlaw.nothing.utf8) { throw .textForNothing(at: start) }
            return content
        case (0xA, _): return try counted(start, size: referenceSize)
        case (0xD, _): return try counted(start, size: 2 * referenceSize)
        default: throw PayloadFlaw("an object is of an unknown kind", at: start)
        }
    }

    private func slice(_ start: Int, count: Int) throws(PayloadFlaw) -> ArraySlice<UInt8> {
        guard count <= bytes.count - start else { throw PayloadFlaw("it ends early", at: start) }
        return bytes[start..<start + count]
    }

    /// The content of an object that has a count of parts of a fixed size.
    private func counted(_ start: Int, size: Int) throws(PayloadFlaw) -> ArraySlice<UInt8> {
        let low = Int(bytes[start] & 0xF)
        if low < 0xF { return try slice(start + 1, count: low * size) }
        guard start + 1 < bytes.count, 0x10...0x13 ~= bytes[start + 1] else {
            throw PayloadFlaw("a count is malformed", at: start)
        }
        let digits = try slice(start + 2, count: 1 << Int(bytes[start + 1] & 0xF))
        let count = Self.number64(digits)
        guard count <= UInt64(bytes.count) else {
            throw PayloadFlaw("a count is larger than the payload", at: start)
        }
        return try slice(digits.endIndex, count: Int(count) * size)
    }

    /// The text of an object in UTF-8; nil if it is not a valid text.
    private func text(at start: Int) throws(PayloadFlaw) -> [UInt8]? {
        switch bytes[start] >> 4 {
        case 0x5:
            let content = try counted(start, size: 1)
            return content.allSatisfy { $0 < 0x80 } ? Array(content) : nil
        case 0x6:
            let content = try counted(start, size: 2)
            let units = stride(from: content.startIndex, to: content.endIndex, by: 2).map {
                UInt16(content[$0]) << 8 | UInt16(content[$0 + 1])
            }
            return String(validating: units, as: UTF16.self).map { Array($0.utf8) }
        default: return nil
        }
    }
}
