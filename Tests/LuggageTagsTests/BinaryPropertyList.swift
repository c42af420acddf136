/// A binary property list, put together by hand so that anything in it can be wrong.
struct BinaryPropertyList {
    /// The objects with their markers, the first of which is the outermost.
    var objects: [[UInt8]]
    /// What the offset table says where it is wrong.
    var offsets: [Int: UInt64] = [:]
    var offsetSize = 2
    var referenceSize = 1
    var count: UInt64?
    var top: UInt64 = 0
    var table: UInt64?
    var mark = "bplist00"

    static func text(_ text: String) -> [UInt8] {
        text.utf8.count < 15
            ? [0x50 + UInt8(text.utf8.count)] + text.utf8
            : [0x5F, 0x10, UInt8(text.utf8.count)] + text.utf8
    }

    /// An object of one member, `weight`, whose value comes with the objects it refers to.
    static func weight(_ value: [UInt8], _ others: [UInt8]...) -> Self {
        Self(objects: [[0xD1, 1, 2], text("weight"), value] + others)
    }

    var bytes: [UInt8] {
        var bytes = Array(mark.utf8)
        var starts: [UInt64] = []
        for object in objects {
            starts.append(UInt64(bytes.count))
            bytes += object
        }
        let end = UInt64(bytes.count)
        for (number, start) in starts.enumerated() {
            bytes += (offsets[number] ?? start).bytes.suffix(offsetSize)
        }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        for field in [count ?? UInt64(objects.count), top, table ?? end] { bytes += field.bytes }
        return bytes
    }
}

extension UInt64 {
    /// The number in eight bytes, the highest first.
    var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - 8 * $0)) } }
}
