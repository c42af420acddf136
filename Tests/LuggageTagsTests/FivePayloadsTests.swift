import Foundation
import LuggageTags
import ObjectStore
import TagPrinting
import TagDrawing
import TagReading
import Testing

@Suite("One bag as five payloads in five tags")
struct FivePayloadsTests {
    private static let encoders = [
        TagEncoder(),
        TagEncoder(format: .messagePack, weightForm: .object(.kilograms)),
        TagEncoder(format: .binaryPropertyList, ownerForm: .object),
        TagEncoder(format: .xmlPropertyList, ownerForm: .text, weightForm: .text(.kilograms)),
        TagEncoder(ownerForm: .text, weightForm: .text(.pounds)),
    ]

    private func picture(of payload: [UInt8]) throws -> TagImage {
        let drawing = LuggageTagDrawing(
            identifier: "F432BDB8-D84F-4461-8362-AFF89F6C493E",
            givenName: "É",
            familyName: "MÜL",
            pounds: 42.3,
            payload: payload,
            correction: .low
        )
        return try TagImage(bytes: drawing.drawn(scale: 1).image.png())
    }

    @Test("gives one record, and a change is none", arguments: TestStore.allCases)
    func oneRecord(store: TestStore) async throws {
        let pool = ReaderPool(executable: try ReaderPool.locateExecutable())
        let json = payload(owner: ["É", "MÜL"], weight: "42.3")
        let contents = try TagDecoder().contents(of: Array(json.utf8))
        let payloads = try Self.encoders.map { try $0.encode(contents) }
        #expect(Set(payloads).count == 5)
        try await store.withRecord { container in
            let recorder = ScanRecorder(container: container)
            var outcomes: [Outcome] = []
            for (number, payload) in payloads.enumerated() {
                let date = Date(timeIntervalSince1970: Double(1_000_000 + number))
                let image = try picture(of: payload)
                let scan = await ReadPicture(image, reader: pool, at: .origin, date: date)
                #expect(try scan.reading.get().symbols.map(\.payload) == [payload])
                outcomes += try recorder.record(scan).map(\.outcome)
            }
            // Each is seen later than the one before, and that is all that it adds.
            #expect(outcomes == [.new, .updated, .updated, .updated, .updated])
            let context = container.makeContext()
            let bags = try Bag.all(in: container)
            #expect(bags.map(\.owner) == ["É/MÜL"])
            #expect(bags.map(\.weight) == [42.3])
            #expect(bags.map(\.departed) == [1_000_004])
            #expect(try context.count(FetchRequest(Passenger.self)) == 1)
            let scans = try context.fetch(FetchRequest(Scan.self).sorted(by: \.scannedAt))
            #expect(scans.map { Array($0.payload) } == payloads)
        }
        await pool.shutdown()
    }

    @Test("takes fewer bytes in MessagePack than in any other format")
    func sizes() throws {
        let contents = try TagDecoder().contents(of: Array(payload().utf8))
        let sizes = try PayloadFormats.writable.map { format in
            (try TagEncoder(format: format).encode(contents).count, format.name)
        }
        #expect(sizes.min { $0.0 < $1.0 }?.1 == "MessagePack", "\(sizes)")
    }
}
