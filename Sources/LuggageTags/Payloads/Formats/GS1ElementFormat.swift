/// GS1 element strings, as in symbols that begin with FNC1: application identifiers and their values.
///
/// A hand scanner sends FNC1 as a symbology identifier in front, such as `]Q3` of a QR code. The reader of
/// pictures does not tell it. So without one, only what a check digit confirms is recognised: an SSCC
/// alone, and a string that begins with a GRAI.
public struct GS1ElementFormat: LabelFormat {
    /// The symbology identifiers of symbols that begin with FNC1 (ISO/IEC 15424): QR, Code 128, DataMatrix,
    /// DataBar, and Dot Code.
    private static let signs = ["]Q3", "]C1", "]d2", "]e0", "]J1"].map { Array($0.utf8) }

    /// What FNC1 between two values is sent as.
    private static let separator: UInt8 = 0x1D

    /// The lengths of values that end without FNC1, by the first two digits of their identifiers, with
    /// these digits.
    private static let lengths: [String: Int] = {
        var lengths = ["00": 20, "01": 16, "02": 16, "03": 16, "04": 18, "20": 4, "41": 16]
        for prefix in 11...19 { lengths["\(prefix)"] = 8 }
        for prefix in 31...36 { lengths["\(prefix)"] = 10 }
        return lengths
    }()

    /// Makes the format.
    public init() {}

    /// `a GS1 element string with one key`.
    public var name: String { "a GS1 element string with one key" }

    /// `not-gs1`.
    public var malformed: TagError.Code { .notGS1 }

    /// Whether the payload begins as a GS1 symbol does.
    public func recognises(_ payload: [UInt8]) -> Bool {
        if Self.hasSign(payload) { return true }
        let isContainer = payload.count == 20 && payload.starts(with: "00".utf8)
        let isAsset = payload.starts(with: "80030".utf8)
        guard isContainer || isAsset else { return false }
        let key = payload.dropFirst(isAsset ? 4 : 2).prefix(isAsset ? 14 : 18)
        return key.count == (isAsset ? 14 : 18) && key.allSatisfy(DecimalNumber.isDigit)
            && GS1Key.hasCheckDigit(key)
    }

    /// Whether the payload has a symbology identifier of GS1 symbols in front.
    static func hasSign(_ payload: [UInt8]) -> Bool { signs.contains(where: payload.starts) }

    func contents(of payload: [UInt8]) throws(PayloadFlaw) -> LabelContents {
        let sign = Self.signs.first(where: payload.starts)?.count ?? 0
        var rest = payload.dropFirst(sign)
        var keys: Set<GS1Key> = []
        while !rest.isEmpty {
            let place = rest.startIndex
            let element = try Self.nextElement(&rest, at: place)
            let kind = GS1Key.Kind.allCases.first { element.starts(with: $0.rawValue.utf8) }
            guard let kind else { continue }
            do throws(PayloadFlaw) {
                keys.insert(try GS1Key(kind, element.dropFirst(kind.rawValue.utf8.count)))
            } catch {
                throw PayloadFlaw(error.reason, at: place)
            }
        }
        guard let key = keys.first else {
            throw PayloadFlaw("it has no SSCC (00), GRAI (8003) or GIAI (8004)")
        }
        if keys.count > 1 { throw PayloadFlaw("it has keys of \(keys.count) things") }
        return LabelContents(id: key.identifier)
    }

    /// Takes the next application identifier with its value.
    private static func nextElement(
        _ rest: inout ArraySlice<UInt8>,
        at place: Int
    ) throws(PayloadFlaw) -> ArraySlice<UInt8> {
        guard rest.count > 2, rest.prefix(2).allSatisfy(DecimalNumber.isDigit) else {
            throw PayloadFlaw("an application identifier is expected", at: place)
        }
        let length = lengths[String(decoding: rest.prefix(2), as: UTF8.self)]
        let element = length.map { rest.prefix($0) } ?? rest.prefix { $0 != separator }
        if let length, element.count < length || element.contains(separator) {
            throw PayloadFlaw("a value of \(length - 2) characters ends early", at: place)
        }
        rest = rest.dropFirst(element.count)
        if rest.first == separator { rest.removeFirst() }
        return element
    }
}

extension PayloadFormat where Self == GS1ElementFormat {
    /// GS1 element strings.
    public static var gs1Elements: GS1ElementFormat { GS1ElementFormat() }
}
