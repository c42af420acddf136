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
                bag.weight.map { "\($0)" } ?? "", time(bag.departedAt), time(bag.arrivedAt),
                version,
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

    private func line(_ fields: [String]) -> [UInt8] { CSVLine.bytes(of: fields) }
}
