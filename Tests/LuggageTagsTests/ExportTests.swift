import Foundation
import LuggageTags
import ObjectStore
import Testing

@Suite("An export")
struct ExportTests {
    private static let id = "F432BDB8-D84F-4461-8362-AFF89F6C493E"

    private func record() throws -> PersistentContainer {
        let container = try emptyRecord()
        let recorder = ScanRecorder(container: container)
        _ = try recorder.record(.of(payload(), name: "=a.png", station: "MUC"))
        _ = try recorder.record(.of(payload(), name: "b", at: .destination, station: "LHR"))
        _ = try recorder.record(.of(payload(secondID, owner: nil), name: "c", station: "MUC"))
        _ = try recorder.record(.of(name: "d", station: "MUC"))
        return container
    }

    @Test("has the records in the order of their contents, and says what it is")
    func lines() throws {
        let text = String(decoding: try record().exported(as: .jsonLines), as: UTF8.self)
        let lines = text.split(separator: "\n")
        #expect(lines.count == 8)
        #expect(
            lines.prefix(3) == [
                #"{"about":{"complete":true,"format":"luggage","records":["bags","scans","facts"],"version":2}}"#,
                #"{"departedAt":"1970-01-12T13:46:40Z","id":"\#(secondID)","record":"bag","weight":42}"#,
                #"{"arrivedAt":"1970-01-12T13:46:40Z","departedAt":"1970-01-12T13:46:40Z","#
                    + #""id":"\#(Self.id)","owner":["D","ZMU"],"record":"bag","weight":42}"#,
            ]
        )
        #expect(lines.last == #"{"end":{"bags":2,"facts":0,"passengers":0,"scans":4}}"#)
    }

    @Test("as CSV has a header, CRLF, and nothing that is taken for a formula")
    func commaSeparated() throws {
        let container = try record()
        let bags = try container.exported(as: .csv, ExportSelection(records: .bags))
        #expect(
            String(decoding: bags, as: UTF8.self)
                == "id,givenName,familyName,weight,departedAt,arrivedAt,version\r\n"
                + "\(secondID),,,42.0,1970-01-12T13:46:40Z,,1\r\n"
                + "\(Self.id),D,ZMU,42.0,1970-01-12T13:46:40Z,1970-01-12T13:46:40Z,1\r\n"
        )
        let selection = ExportSelection(records: .scans, identifierPrefixes: ["F4"])
        let scans = try container.exported(as: .csv, selection)
        #expect(String(decoding: scans, as: UTF8.self).contains(",'=a.png,"))
    }

    @Test("of a bag without a weight tells none", arguments: ExchangeFormat.allCases)
    func noWeight(format: ExchangeFormat) throws {
        let container = try emptyRecord()
        let tag = payload(owner: nil, weight: nil)
        _ = try ScanRecorder(container: container).record(.of(tag, station: "MUC"))
        let selection = ExportSelection(records: .bags)
        let file = try container.exported(as: format, selection)
        let text = String(decoding: file, as: UTF8.self)
        if format == .csv {
            #expect(text.contains("\(Self.id),,,,1970-01-12T13:46:40Z,,1\r\n"), "\(text)")
        } else {
            #expect(!text.contains("weight"), "\(text)")
        }
        let copy = try emptyRecord()
        #expect(try copy.importing(file).isClean)
        #expect(try Bag.all(in: copy) == Bag.all(in: container))
        #expect(try copy.exported(as: format, selection) == file)
    }

    @Test("that Foundation reads too", arguments: [ExchangeFormat.json, .propertyList])
    func foundation(format: ExchangeFormat) throws {
        let data = Data(try record().exported(as: format))
        let value =
            format == .json
            ? try JSONSerialization.jsonObject(with: data)
            : try unsafe PropertyListSerialization.propertyList(from: data, format: nil)
        let document = try #require(value as? [String: Any])
        #expect((document["bags"] as? [[String: Any]])?.count == 2)
        #expect((document["scans"] as? [[String: Any]])?.count == 4)
        #expect((document["about"] as? [String: Any])?["version"] as? Int == 2)
    }

    /// A selection, and the bags and scans that it has.
    static let selections: [(selection: ExportSelection, bags: Int, scans: Int)] = [
        (.everything, 2, 4),
        (ExportSelection(records: .bags), 2, 0),
        (ExportSelection(records: .scans), 0, 4),
        (ExportSelection(identifierPrefixes: ["f432"]), 1, 2),
        (ExportSelection(identifierPrefixes: ["9", "F432", "F4", "9C41", "0"]), 2, 3),
        (ExportSelection(identifierPrefixes: ["0"]), 0, 0),
        (ExportSelection(station: "MUC"), 2, 3),
        (ExportSelection(station: "LHR"), 1, 1),
        (ExportSelection(station: "NRT"), 0, 0),
        (ExportSelection(point: .destination), 1, 1),
        (ExportSelection(identifierPrefixes: ["9"], point: .destination), 0, 0),
        (ExportSelection(station: "MUC", point: .origin), 2, 3),
    ]

    @Test("of a selection has that and no more, and can be imported", arguments: selections)
    func selection(selection: ExportSelection, bags: Int, scans: Int) throws {
        let container = try record()
        let counts = try StoreExporter(container: container, selection: selection)
            .export(as: .jsonLines) { _ in }
        #expect(counts.bags == bags)
        #expect(counts.scans == scans)
        let copy = try emptyRecord()
        #expect(try copy.importing(container.exported(as: .jsonLines, selection)).isClean)
    }

    @Test("as CSV of several kinds is refused")
    func severalKinds() throws {
        #expect(throws: ExportError.self) { () throws in
            _ = try emptyRecord().exported(as: .csv)
        }
    }

    @Test("is of one state, whatever is saved meanwhile")
    func oneState() async throws {
        try await TestStore.sqlite.withRecord { container in
            let recorder = ScanRecorder(container: container)
            _ = try recorder.record(.of(payload()))
            var bytes: [UInt8] = []
            var isFirst = true
            let exporter = StoreExporter(container: container)
            // Enough of it that something is written before the end.
            let context = container.makeContext()
            for _ in 0..<1500 {
                let luggage = Luggage(context: context)
                luggage.identifier = UUID()
                luggage.weight = 1
            }
            try await context.save()
            let counts = try exporter.export(as: .jsonLines) { part in
                if isFirst { _ = try recorder.record(.of(payload(secondID), name: "late")) }
                isFirst = false
                bytes += part
            }
            #expect(counts.bags == 1501)
            #expect(counts.scans == 1)
            #expect(!String(decoding: bytes, as: UTF8.self).contains(secondID))
        }
    }

    @Test("with a value that no format has says which record it is")
    func unwritable() throws {
        let container = try emptyRecord()
        try container.importing(payload(owner: ["D", "Z\u{FFFF}"]))
        #expect(throws: ExportError.self) { () throws in
            _ = try container.exported(as: .propertyList)
        }
        #expect(try container.exported(as: .json).count > 0)
    }
}
