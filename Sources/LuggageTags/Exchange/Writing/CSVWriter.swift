internal import Foundation

/// Writes comma-separated values as RFC 4180 has them: a header, and CRLF behind each line.
struct CSVWriter: ExchangeWriter {
    mutating func begin(_ kinds: [RecordKind]) throws -> [UInt8] {
        line(kinds.contains(.scan) ? CSVColumns.scans : CSVColumns.bags)
    }

    mutating func write(_ record: ExchangeRecord) throws -> [UInt8] {
        switch record {
        case .bag(let bag):
            line([
                bag.identifier.uuidString, bag.owner?.givenName ?? "", bag.owner?.familyName ?? "",
                "\(bag.weight)", time(bag.departedAt), time(bag.arrivedAt), version,
            ])
        case .scan(let scan):
            line([
                scan.bag?.uuidString ?? "", scan.point.rawValue, scan.station,
                time(scan.scannedAt), scan.imageName, scan.imageDigest ?? "",
                scan.payload.base64EncodedString(), scan.outcome.rawValue, scan.reason,
                scan.copy == 1 ? "" : "\(scan.copy)", version,
            ])
        // One file has one kind of records, and nothing besides.
        case .about, .passenger, .end: []
        }
    }

    func end(_ counts: RecordCounts) -> [UInt8] { [] }

    private var version: String { "\(ExchangeHeader.version)" }

    private func time(_ date: Date?) -> String {
        date.map { Moment($0).text } ?? ""
    }

    private func line(_ fields: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        for (position, field) in fields.enumerated() {
            if position > 0 { bytes.append(UInt8(ascii: ",")) }
            append(CSVColumns.marked(Array(field.utf8)), to: &bytes)
        }
        return bytes + "\r\n".utf8
    }

    private func append(_ field: [UInt8], to bytes: inout [UInt8]) {
        let quote = UInt8(ascii: "\"")
        guard field.contains(where: { ",\"\r\n ".utf8.contains($0) }) else {
            bytes += field
            return
        }
        bytes.append(quote)
        for byte in field {
            if byte == quote { bytes.append(quote) }
            bytes.append(byte)
        }
        bytes.append(quote)
    }
}
