/// A QR symbol of version 5 and level L whose segments are told one by one, senseless ones too.
///
/// Printers write what they mean; a reader also meets what nobody meant.
public struct SegmentedSymbol: Sendable {
    /// The data as told so far, in bits, before the end and the padding.
    private var bits: [Bool] = []

    private static let side = 37
    private static let dataCount = 108
    private static let parityCount = 26

    /// Makes a symbol without segments.
    public init() {}

    /// The symbol with a number of some bits behind its data.
    ///
    /// - Parameters:
    ///   - value: The number.
    ///   - width: The bits that it takes.
    /// - Returns: The longer symbol.
    public func appending(_ value: Int, bits width: Int) -> Self {
        var longer = self
        longer.bits += Self.bits(of: value, width)
        return longer
    }

    private static func bits(of value: Int, _ width: Int) -> [Bool] {
        (0..<width).reversed().map { value >> $0 & 1 == 1 }
    }

    /// The symbol with digits in numeric mode.
    public func digits(_ text: String) -> Self {
        let digits = text.utf8.map { Int($0) - 0x30 }
        var longer = appending(1, bits: 4).appending(digits.count, bits: 10)
        for start in stride(from: 0, to: digits.count, by: 3) {
            let group = digits[start..<min(start + 3, digits.count)]
            longer = longer.appending(group.reduce(0) { 10 * $0 + $1 }, bits: 3 * group.count + 1)
        }
        return longer
    }

    /// The symbol with characters in alphanumeric mode.
    public func letters(_ text: String) -> Self {
        let characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:")
        let values = text.compactMap { characters.firstIndex(of: $0) }
        var longer = appending(2, bits: 4).appending(values.count, bits: 9)
        for start in stride(from: 0, to: values.count, by: 2) {
            let pair = values[start..<min(start + 2, values.count)]
            longer = longer.appending(pair.reduce(0) { 45 * $0 + $1 }, bits: 5 * pair.count + 1)
        }
        return longer
    }

    /// The symbol with bytes in byte mode.
    public func bytes(_ bytes: some Collection<UInt8>) -> Self {
        bytes.reduce(appending(4, bits: 4).appending(bytes.count, bits: 8)) {
            $0.appending(Int($1), bits: 8)
        }
    }

    /// The symbol with pairs of bytes of Shift JIS in Kanji mode.
    public func kanji(_ pairs: Int...) -> Self {
        pairs.reduce(appending(8, bits: 4).appending(pairs.count, bits: 8)) { longer, pair in
            let value = pair - (pair < 0xA000 ? 0x8140 : 0xC140)
            return longer.appending((value >> 8) * 0xC0 + value & 0xFF, bits: 13)
        }
    }

    /// The symbol with a declaration of the character set of what follows.
    public func declaring(_ set: Int) -> Self {
        let longer = appending(7, bits: 4)
        if set < 128 { return longer.appending(set, bits: 8) }
        if set < 16384 { return longer.appending(2, bits: 2).appending(set, bits: 14) }
        return longer.appending(6, bits: 3).appending(set, bits: 21)
    }

    /// The symbol as one part of a structured append.
    public func part(_ index: Int, of count: Int, parity: UInt8) -> Self {
        appending(3, bits: 4).appending(index, bits: 4).appending(count - 1, bits: 4)
            .appending(Int(parity), bits: 8)
    }

    /// The symbol in black on white, with its quiet zone.
    ///
    /// - Parameter module: Pixels along one side of a module.
    /// - Returns: The picture.
    public func image(module: Int) -> GreyImage {
        let side = Self.side, quiet = 4
        let dark = modules()
        return GreyImage(width: side + 2 * quiet, height: side + 2 * quiet) { x, y in
            let (column, row) = (x - quiet, y - quiet)
            guard 0..<side ~= column, 0..<side ~= row else { return 255 }
            return dark[row * side + column] ? 0 : 255
        }.enlarged(by: module)
    }

    /// The data with its end, its padding and its codewords for correction.
    private func codewords() -> [UInt8] {
        precondition(bits.count <= 8 * Self.dataCount, "the data fits into the symbol")
        var padded = bits + Array(repeating: false, count: min(4, 8 * Self.dataCount - bits.count))
        padded += Array(repeating: false, count: (8 - padded.count % 8) % 8)
        var data = stride(from: 0, to: padded.count, by: 8).map { start in
            padded[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        for index in 0..<(Self.dataCount - data.count) { data.append(index % 2 == 0 ? 0xEC : 0x11) }
        return data + Self.parity(of: data)
    }

    /// The product in the field of ISO/IEC 18004.
    private static func product(_ one: UInt8, _ other: UInt8) -> UInt8 {
        var (sum, factor) = (0, Int(one))
        for bit in 0..<8 {
            if other >> bit & 1 == 1 { sum ^= factor }
            factor = factor << 1 ^ (factor >= 0x80 ? 0x11D : 0)
        }
        return UInt8(sum)
    }

    /// The remainder of the data after division by (x - 1)(x - 2)(x - 4)….
    private static func parity(of data: [UInt8]) -> [UInt8] {
        var generator: [UInt8] = [1], root: UInt8 = 1
        for _ in 0..<parityCount {
            let shifted = [0] + generator.map { product($0, root) }
            generator = zip(generator + [0], shifted).map { $0 ^ $1 }
            root = product(root, 2)
        }
        var rest = data + Array(repeating: 0, count: parityCount)
        for index in data.indices {
            for (place, term) in generator.enumerated().dropFirst() {
                rest[index + place] ^= product(term, rest[index])
            }
        }
        return Array(rest.suffix(parityCount))
    }

    /// The patterns of known colour; nil where data goes.
    private static func patterns() -> [Bool?] {
        var modules = [Bool?](repeating: nil, count: side * side)
        func square(_ column: Int, _ row: Int, _ reach: Int, dark: Set<Int>) {
            for y in max(0, row - reach)...min(side - 1, row + reach) {
                for x in max(0, column - reach)...min(side - 1, column + reach) {
                    modules[y * side + x] = dark.contains(max(abs(x - column), abs(y - row)))
                }
            }
        }
        for index in 0..<side {
            modules[6 * side + index] = index % 2 == 0
            modules[index * side + 6] = index % 2 == 0
        }
        square(30, 30, 2, dark: [0, 2])
        for (column, row) in [(3, 3), (side - 4, 3), (3, side - 4)] {
            square(column, row, 4, dark: [0, 1, 3])
        }
        for (bit, isDark) in format.enumerated() {
            let near = bit < 6 ? bit : bit < 8 ? bit + 1 : side - 15 + bit
            let far = bit < 8 ? side - 1 - bit : bit == 8 ? 7 : 14 - bit
            modules[near * side + 8] = isDark
            modules[8 * side + far] = isDark
        }
        modules[(side - 8) * side + 8] = true
        return modules
    }

    /// Level L with the mask of every second row, from its first bit.
    private static let format = (0..<15).map { 0x72F3 >> $0 & 1 == 1 }

    private func modules() -> [Bool] {
        var stream = codewords().flatMap { Self.bits(of: Int($0), 8) }.makeIterator()
        var modules = Self.patterns()
        var column = Self.side - 1
        var isUpwards = true
        while column > 0 {
            if column == 6 { column = 5 }
            for step in 0..<Self.side {
                let row = isUpwards ? Self.side - 1 - step : step
                for place in [row * Self.side + column, row * Self.side + column - 1]
                where modules[place] == nil {
                    modules[place] = (stream.next() ?? false) != (row % 2 == 0)
                }
            }
            isUpwards.toggle()
            column -= 2
        }
        return modules.map { $0 ?? false }
    }
}
