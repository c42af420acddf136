internal import Foundation

/// How a reader writes the payloads that it has read.
package enum AnswerFormat: String, CaseIterable, Sendable {
    /// A JSON object a line with `base64`, as `luggage read --format json` writes it. Parts of a
    /// structured append say so, and are no payloads.
    case luggage
    /// A payload a line, in base64.
    case base64
    /// A payload a line, as it is: cannot tell a line feed in a payload from the end of it.
    case lines
    /// Payloads one after the other with nothing between them, as `zbarimg --raw -Sbinary` does.
    case joined
    /// Lines that begin with `Bytes:` and go on in hexadecimal, as `ZXingReader` writes them.
    case hexadecimal

    /// The payloads in what a reader has written.
    ///
    /// - Parameters:
    ///   - output: All that it has written.
    ///   - expected: The payloads that are in the picture: how else could joined ones be told apart?
    /// - Returns: The payloads, those of more than one symbol as often as they were written.
    package func payloads(in output: [UInt8], expecting expected: [[UInt8]]) -> [[UInt8]] {
        let lines = output.split(separator: UInt8(ascii: "\n")).map(Array.init)
        switch self {
        case .luggage: return lines.compactMap(Self.payloadOfReport)
        case .base64: return lines.compactMap(Self.decoded)
        case .lines: return lines
        case .joined: return Self.apart(output, expected.filter { !$0.isEmpty })
        case .hexadecimal: return lines.compactMap(Self.payloadOfHexadecimal)
        }
    }

    private struct Report: Decodable {
        var base64: String?
        var isPartial: Bool?
    }

    private static func payloadOfReport(_ line: [UInt8]) -> [UInt8]? {
        let report = try? JSONDecoder().decode(Report.self, from: Data(line))
        guard let report, report.isPartial != true, let base64 = report.base64 else { return nil }
        return decoded(Array(base64.utf8))
    }

    private static func decoded(_ base64: [UInt8]) -> [UInt8]? {
        Data(base64Encoded: Data(base64)).map(Array.init)
    }

    private static func payloadOfHexadecimal(_ line: [UInt8]) -> [UInt8]? {
        let label = Array("Bytes:".utf8)
        guard line.starts(with: label) else { return nil }
        let digits = String(decoding: line.dropFirst(label.count), as: UTF8.self)
        return digits.split(whereSeparator: \.isWhitespace).map { UInt8($0, radix: 16) ?? 0 }
    }

    /// Takes expected payloads out; what is left before, between and behind them is one each.
    private static func apart(_ output: [UInt8], _ expected: [[UInt8]]) -> [[UInt8]] {
        var payloads: [[UInt8]] = []
        var other: [UInt8] = []
        var rest = output[...]
        while let first = rest.first {
            if let payload = expected.first(where: { rest.starts(with: $0) }) {
                if !other.isEmpty { payloads.append(other) }
                other = []
                payloads.append(payload)
                rest = rest.dropFirst(payload.count)
            } else {
                other.append(first)
                rest = rest.dropFirst()
            }
        }
        return other.isEmpty ? payloads : payloads + [other]
    }
}
