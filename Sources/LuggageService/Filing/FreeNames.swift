internal import Glibc

/// Names to try for a file: its own, then the same with a number before its ending.
///
/// A camera may give all its pictures the same name. So after a few numbers the names use the time:
/// the search for a free number would take longer with every picture.
struct FreeNames: Sequence, IteratorProtocol {
    private let stem: ArraySlice<UInt8>
    private let ending: ArraySlice<UInt8>
    private let microseconds: UInt64
    private var number: UInt64 = 0

    /// The longest name in bytes; the rest of the 255 is for the ending of a note.
    static let longest = 255 - FailureNote.ending.utf8.count

    private static let longestEnding = 32
    private static let numbered: UInt64 = 9
    private static let most: UInt64 = 1000

    /// Begins with a file's own name.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - microseconds: The current time, in microseconds since 1970.
    init(for name: [UInt8], at microseconds: UInt64) {
        let dot = name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
        // A longer ending is part of the name, not a file type.
        let isEnding = dot != name.startIndex && name.endIndex - dot <= Self.longestEnding
        let split = isEnding ? dot : name.endIndex
        (stem, ending) = (name[..<split], name[split...])
        self.microseconds = microseconds
    }

    mutating func next() -> [UInt8]? {
        number += 1
        switch number {
        case 1: return named("")
        case ...Self.numbered: return named("-\(number)")
        case ...Self.most: return named("-\(microseconds + number)")
        default: return nil
        }
    }

    private func named(_ difference: String) -> [UInt8] {
        let end = Array(difference.utf8) + ending
        return stem.prefix(Swift.max(1, Self.longest - end.count)) + end
    }

    /// The names with which a file may have come that now has this name.
    ///
    /// They are the name itself, and the same without the number before its ending.
    static func origins(of name: [UInt8]) -> [[UInt8]] {
        let names = FreeNames(for: name, at: 0)
        let digits = names.stem.reversed().prefix { (0x30...0x39).contains($0) }.count
        let stem = names.stem.dropLast(digits)
        guard digits > 0, stem.count > 1, stem.last == UInt8(ascii: "-") else { return [name] }
        return [name, stem.dropLast() + names.ending]
    }

    /// The current time, in microseconds since 1970.
    static var present: UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return UInt64(clamping: time.tv_sec) * 1_000_000 + UInt64(clamping: time.tv_nsec / 1000)
    }
}
