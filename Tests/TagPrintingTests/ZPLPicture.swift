import Foundation
import TagDrawing

/// Reads labels as thermal printers do, by the manual of their language.
enum ZPLPicture {
    struct Malformed: Error {
        let reason: String
    }

    /// The pictures of all labels in a file.
    static func images(in bytes: [UInt8]) throws -> [GreyImage] {
        let labels = String(decoding: bytes, as: UTF8.self).split(separator: "^XA").dropFirst(0)
        return try labels.map { try image(of: $0) }
    }

    private static func image(of label: Substring) throws -> GreyImage {
        guard let start = label.range(of: "^GFA,"), let end = label.range(of: "^FS") else {
            throw Malformed(reason: "there is no graphic field")
        }
        let parameters = label[start.upperBound..<end.lowerBound]
            .split(separator: ",", maxSplits: 3, omittingEmptySubsequences: false)
        guard parameters.count == 4, let total = Int(parameters[0]), parameters[1] == parameters[0],
            let rowBytes = Int(parameters[2]), total % rowBytes == 0
        else { throw Malformed(reason: "the sizes are wrong") }
        let rows = try rows(in: parameters[3], digits: 2 * rowBytes)
        guard rows.count == total / rowBytes else {
            throw Malformed(reason: "\(rows.count) rows, not \(total / rowBytes)")
        }
        return GreyImage(width: 8 * rowBytes, height: rows.count) { x, y in
            rows[y][x / 4] >> (3 - x % 4) & 1 == 1 ? 0 : 255
        }
    }

    private static func rows(in data: Substring, digits: Int) throws -> [[Int]] {
        var rows: [[Int]] = []
        var row: [Int] = []
        var count = 0
        for letter in data.utf8 {
            let isSign = [UInt8(ascii: ","), UInt8(ascii: "!"), UInt8(ascii: ":")].contains(letter)
            switch letter {
            case UInt8(ascii: "\n"): continue
            case UInt8(ascii: "G")...UInt8(ascii: "Y"): count += Int(letter - UInt8(ascii: "F"))
            case UInt8(ascii: "g")...UInt8(ascii: "z"):
                count += 20 * Int(letter - UInt8(ascii: "f"))
            case UInt8(ascii: ":"):
                guard row.isEmpty, let last = rows.last else {
                    throw Malformed(reason: "there is no row to repeat")
                }
                row = last
            case UInt8(ascii: ","), UInt8(ascii: "!"):
                let digit = letter == UInt8(ascii: ",") ? 0 : 15
                row += Array(repeating: digit, count: digits - row.count)
            default:
                guard let digit = Character(Unicode.Scalar(letter)).hexDigitValue else {
                    throw Malformed(reason: "the letter \(letter) means nothing")
                }
                row += Array(repeating: digit, count: max(count, 1))
                count = 0
            }
            if isSign && count > 0 { throw Malformed(reason: "a count stands before a sign") }
            if row.count > digits { throw Malformed(reason: "a row is too long") }
            if row.count == digits {
                rows.append(row)
                row = []
            }
        }
        return rows
    }
}
