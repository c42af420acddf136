internal import Foundation
internal import TagScenes

/// What is known about photographs, from a table of tab-separated columns: file, width, height,
/// number of payloads, text.
enum PhotographTruth {
    /// The category of photographs whose payload is known.
    static let known = "photographs"
    /// The category of photographs that nobody has read yet: any answer may be right, and
    /// each counts as read.
    static let unknown = "photographs unread"

    /// The rows of a table; its first line is a heading.
    static func rows(of table: String) -> [SceneTruth] {
        table.split(separator: "\n").dropFirst().compactMap { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard columns.count == 5 else { return nil }
            let file = String(columns[0])
            guard columns[3] != "0" else {
                return SceneTruth(file: file, category: unknown, symbols: [])
            }
            let payload = Data(bytes(of: columns[4]))
            let symbol = SceneTruth.Symbol(base64: payload.base64EncodedString())
            return SceneTruth(file: file, category: known, symbols: [symbol])
        }
    }

    /// The bytes of a text in which `\\xHH` is a byte that is not UTF-8, and `\\`, `\n`, `\r` and
    /// `\t` are what they usually are.
    static func bytes(of text: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let first = rest.first {
            if rest.starts(with: Array(#"\\x"#.utf8)), rest.count >= 5,
                let byte = UInt8(
                    String(decoding: rest.dropFirst(3).prefix(2), as: UTF8.self),
                    radix: 16
                )
            {
                bytes.append(byte)
                rest = rest.dropFirst(5)
            } else if first == UInt8(ascii: #"\"#), let second = rest.dropFirst().first {
                let plain: [UInt8: UInt8] = [
                    UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
                ]
                bytes.append(plain[second] ?? second)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(first)
                rest = rest.dropFirst()
            }
        }
        return bytes
    }
}
