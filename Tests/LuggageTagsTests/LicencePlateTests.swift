import Foundation
import ObjectStore
import SeededRandom
import TagReading
import Testing

@testable import LuggageTags

@Suite("A licence plate")
struct LicencePlateTests {
    @Test(
        "is a leading digit, an issuer and a serial number",
        arguments: [
            ("0117814872", 0, "117", 814_872), ("0220208212", 0, "220", 208_212),
            ("9999999999", 9, "999", 999_999), ("1000000000", 1, "000", 0),
            ("0000000001", 0, "000", 1),
        ]
    )
    func parts(digits: String, leading: Int, issuer: String, serial: Int) throws {
        let plate = try #require(LicencePlate(digits))
        #expect(plate.description == digits)
        #expect(plate.leadingDigit == leading)
        #expect(plate.issuer == issuer)
        #expect(plate.serial == serial)
    }

    @Test(
        "is exactly ten ASCII digits",
        arguments: [
            "", "0", "011781487", "01178148720", " 117814872", "0117814872 ", "+117814872",
            "-117814872", "011781487A", "0117-14872", "٠١١٧٨١٤٨٧٢", "０１１７８１４８７２", "1e10000000",
        ]
    )
    func hostile(text: String) throws {
        #expect(LicencePlate(text) == nil)
        #expect(!LicencePlateFormat().recognises(Array(text.utf8)))
    }

    @Test("gives an identifier that begins with it, and that no other bag has")
    func identifiers() throws {
        var generator = SeededGenerator(seed: 740)
        var seen: Set<UUID> = []
        for _ in 0..<1000 {
            let digits = (0..<10).map { _ in "\(generator.number(below: 10))" }.joined()
            let plate = try #require(LicencePlate(digits))
            let identifier = plate.identifier
            #expect(LicencePlate(identifier) == plate)
            #expect(identifier.uuidString.filter { $0 != "-" }.hasPrefix(digits))
            // RFC 9562: version 8, variant 2.
            #expect(identifier.uuid.6 >> 4 == 8 && identifier.uuid.8 >> 6 == 2)
            seen.insert(identifier)
        }
        #expect(seen.count > 990)
        for _ in 0..<1000 {
            #expect(LicencePlate(UUID()) == nil)
            #expect(
                LicencePlate(UUID.fact(telling: ["\(generator.number(below: 1 << 30))"])) == nil
            )
        }
        // Records keep it: it must never change.
        let identifier = try #require(LicencePlate("0117814872")).identifier
        #expect(identifier.uuidString == "01178148-7250-8997-B4DF-91FAAA55CDE9")
        // A digit that is none, in an identifier that is otherwise one.
        let other = identifier.uuidString.replacingOccurrences(of: "01178148", with: "0117814A")
        let wrong = try #require(UUID(uuidString: other))
        #expect(LicencePlate(wrong) == nil)
    }

    @Test("is followed by others as long as the serial number has digits")
    func runs() throws {
        let plate = try #require(LicencePlate("0014999998"))
        #expect(plate.run(of: 2)?.map(\.description) == ["0014999998", "0014999999"])
        #expect(plate.run(of: 3) == nil)
        #expect(plate.run(of: -1) == nil)
        #expect(LicencePlate.run("0014123456002".utf8)?.map(\.serial) == [123_456, 123_457])
        for text in ["", "0014123456000", "001412345600", "0014123456 02", "0014999999002"] {
            #expect(LicencePlate.run(text.utf8) == nil, "\(text)")
        }
    }

    @Test("that a hand scanner sends is a bag without owner and weight")
    func filing() throws {
        let record = try emptyRecord()
        func file(_ payload: String, at point: Point, second: Double) throws -> ScanReport {
            let picture = ReadPicture(
                received: .success(Array(payload.utf8)),
                name: "payload",
                at: point,
                date: Date(timeIntervalSince1970: 1_000_000 + second)
            )
            return try #require(try ScanRecorder(container: record).record(picture).first)
        }
        #expect(try file("0117814872", at: .origin, second: 0).outcome == .new)
        #expect(try file("0117814872", at: .origin, second: 5).outcome == .repeated)
        let report = try file("0117814872", at: .destination, second: 7200)
        #expect(report.outcome == .updated)
        #expect(report.luggage?.weight == nil)
        let json = String(decoding: try JSONEncoder.forReports().encode(report), as: UTF8.self)
        #expect(!json.contains("weight"))

        let failed = try file("0000000000", at: .origin, second: 60)
        #expect(failed.outcome == .unreadable)
        #expect(failed.error?.reason == "plate-not-read")
        let bags = try record.makeContext().fetch(FetchRequest(Luggage.self))
        #expect(bags.map { LicencePlate($0.identifier)?.description } == ["0117814872"])
        #expect(bags.map(\.weight) == [nil] && bags.map(\.owner?.name) == [nil])
        #expect(bags[0].arrivedAt == Date(timeIntervalSince1970: 1_007_200))
    }

    @Test("can be read, and not written")
    func encoding() throws {
        let contents = TagContents(
            identifier: try #require(LicencePlate("0117814872")).identifier,
            owner: nil,
            weight: nil
        )
        for format in PayloadFormats.labels {
            #expect(throws: EncodingError.self) { try TagEncoder(format: format).encode(contents) }
        }
    }

    @Test("is not what a number in JSON is")
    func numbers() throws {
        for (text, code) in [
            ("011781487", TagError.Code.notJSON), ("11781487201", .typeMismatch),
            ("1178148720.0", .typeMismatch), ("42", .typeMismatch),
        ] {
            #expect(throws: TagError.self) { try TagDecoder().contents(of: Array(text.utf8)) }
            do throws(TagError) {
                _ = try TagDecoder().contents(of: Array(text.utf8))
            } catch {
                #expect(error.code == code, "\(text): \(error)")
            }
        }
    }
}
