/// The first bytes of values, as in the specification.
///
/// Source: https://github.com/msgpack/msgpack/blob/master/spec.md
enum Marker {
    static let fixedMap: UInt8 = 0x80
    static let fixedArray: UInt8 = 0x90
    static let fixedText: UInt8 = 0xA0
    static let null: UInt8 = 0xC0
    static let `false`: UInt8 = 0xC2
    static let `true`: UInt8 = 0xC3
    static let binary8: UInt8 = 0xC4
    static let binary16: UInt8 = 0xC5
    static let binary32: UInt8 = 0xC6
    static let extension8: UInt8 = 0xC7
    static let extension16: UInt8 = 0xC8
    static let extension32: UInt8 = 0xC9
    static let float32: UInt8 = 0xCA
    static let float64: UInt8 = 0xCB
    static let unsigned8: UInt8 = 0xCC
    static let unsigned16: UInt8 = 0xCD
    static let unsigned32: UInt8 = 0xCE
    static let unsigned64: UInt8 = 0xCF
    static let signed8: UInt8 = 0xD0
    static let signed16: UInt8 = 0xD1
    static let signed32: UInt8 = 0xD2
    static let signed64: UInt8 = 0xD3
    static let fixedExtension1: UInt8 = 0xD4
    static let fixedExtension2: UInt8 = 0xD5
    static let fixedExtension4: UInt8 = 0xD6
    static let fixedExtension8: UInt8 = 0xD7
    static let fixedExtension16: UInt8 = 0xD8
    static let text8: UInt8 = 0xD9
    static let text16: UInt8 = 0xDA
    static let text32: UInt8 = 0xDB
    static let array16: UInt8 = 0xDC
    static let array32: UInt8 = 0xDD
    static let map16: UInt8 = 0xDE
    static let map32: UInt8 = 0xDF
}
