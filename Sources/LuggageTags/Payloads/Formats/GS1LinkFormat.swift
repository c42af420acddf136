/// GS1 Digital Link: a web address that ends with the key of one thing, as `/00/` and an SSCC.
///
/// The domain says who answers there, and is no part of the key.
public struct GS1LinkFormat: LabelFormat {
    /// Makes the format.
    public init() {}

    /// `a GS1 Digital Link`.
    public var name: String { "a GS1 Digital Link" }

    /// `not-gs1`.
    public var malformed: TagError.Code { .notGS1 }

    /// Whether the payload is a web address with a key of GS1's in its path.
    public func recognises(_ payload: [UInt8]) -> Bool {
        guard let parts = Self.parts(of: payload) else { return false }
        return parts.contains { Self.kind($0) != nil }
    }

    func contents(of payload: [UInt8]) throws(PayloadFlaw) -> LabelContents {
        var parts = Self.parts(of: payload) ?? []
        if parts.last?.isEmpty ?? false { parts.removeLast() }
        // After the key of an asset, its part may be named; of the others, nothing can follow.
        if parts.count >= 4, Self.kind(parts[parts.count - 4]) == .giai,
            parts[parts.count - 2].elementsEqual("7040".utf8)
        {
            parts.removeLast(2)
        }
        guard parts.count >= 2, let kind = Self.kind(parts[parts.count - 2]),
            let value = parts.last
        else { throw PayloadFlaw("its path does not end with one key") }
        return LabelContents(id: try GS1Key(kind, try Self.unescaped(value)).identifier)
    }

    private static func kind(_ part: some Collection<UInt8>) -> GS1Key.Kind? {
        String(validating: part, as: UTF8.self).flatMap(GS1Key.Kind.init)
    }

    /// The parts of the path; nil if it is not a web address.
    private static func parts(of payload: [UInt8]) -> [ArraySlice<UInt8>]? {
        let schemes = ["https://", "http://"]
        let beginning = String(decoding: payload.prefix(8), as: UTF8.self).lowercased()
        guard let scheme = schemes.first(where: beginning.hasPrefix) else { return nil }
        let ends: [UInt8] = [UInt8(ascii: "?"), UInt8(ascii: "#")]
        let path = payload.dropFirst(scheme.utf8.count).prefix { !ends.contains($0) }
        let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return Array(parts.dropFirst())
    }

    /// The bytes of a part, in which a percent sign and two hexadecimal digits stand for one.
    private static func unescaped(_ part: ArraySlice<UInt8>) throws(PayloadFlaw) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = part
        while let byte = rest.popFirst() {
            if byte != UInt8(ascii: "%") {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2,
                digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else {
                throw PayloadFlaw(
                    "a percent sign without two hexadecimal digits",
                    at: rest.startIndex - 1
                )
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}

extension PayloadFormat where Self == GS1LinkFormat {
    /// GS1 Digital Link.
    public static var gs1Link: GS1LinkFormat { GS1LinkFormat() }
}
