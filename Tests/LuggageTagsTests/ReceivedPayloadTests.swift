import Foundation
import ObjectStore
import TagReading
import Testing

@testable import LuggageTags

@Suite("Filing what a hand scanner sends")
struct ReceivedPayloadTests {
    static let id = "F432BDB8-D84F-4461-8362-AFF89F6C493E"

    static func tag(_ weight: String = "42") -> [UInt8] {
        Array(
            #"{"id":"\#(id)","owner":{"givenName":"D","familyName":"ZMU"},"weight":\#(weight)}"#
                .utf8
        )
    }

    /// One payload, as it comes.
    static func received(
        _ payload: [UInt8] = tag(),
        at point: Point = .origin,
        station: String = "MUC",
        second: Double
    ) -> ReadPicture {
        received(.success(payload), at: point, station: station, second: second)
    }

    static func received(
        _ frame: PayloadFraming.Frame,
        at point: Point = .origin,
        station: String = "MUC",
        second: Double
    ) -> ReadPicture {
        ReadPicture(
            received: frame,
            name: "payload 1",
            at: point,
            station: station,
            date: Date(timeIntervalSince1970: 1_000_000 + second)
        )
    }

    /// Payloads in the order in which they are filed, and what must come of them.
    struct Story: CustomTestStringConvertible {
        let testDescription: String
        let payloads: [ReadPicture]
        let outcomes: [Outcome]
        /// How many scans are on record.
        let scans: Int
        var departed: Double?
        var arrived: Double?
    }

    static let stories = [
        Story(
            testDescription: "a nervous hand is one sighting, of the first time",
            payloads: [0, 1, 3, 9.999].map { received(second: $0) },
            outcomes: [.new, .repeated, .repeated, .repeated],
            scans: 1,
            departed: 0
        ),
        Story(
            testDescription:
                "a scanner on a stand that sees a tag for long is a sighting every ten seconds",
            payloads: stride(from: 0, through: 30, by: 2.0).map { received(second: $0) },
            outcomes: [.new] + (1...15).map { $0 % 5 == 0 ? .updated : .repeated },
            scans: 4,
            departed: 30
        ),
        Story(
            testDescription: "the same bag later is another sighting, and the later time counts",
            payloads: [received(second: 0), received(second: 10)],
            outcomes: [.new, .updated],
            scans: 2,
            departed: 10
        ),
        Story(
            testDescription:
                "payloads filed again after an interruption, with their time, change nothing",
            payloads: [0, 60, 0, 60].map { received(second: $0) },
            outcomes: [.new, .updated, .repeated, .repeated],
            scans: 2,
            departed: 60
        ),
        Story(
            testDescription: "a payload of an earlier time, filed later, is the same sighting too",
            payloads: [received(second: 5), received(second: 0), received(second: -6)],
            outcomes: [.new, .repeated, .repeated],
            scans: 2,
            departed: 5
        ),
        Story(
            testDescription: "another point or station is another sighting at once",
            payloads: [
                received(second: 0), received(at: .destination, second: 1),
                received(at: .destination, station: "LHR", second: 2),
            ],
            outcomes: [.new, .updated, .updated],
            scans: 3,
            departed: 0,
            arrived: 2
        ),
        Story(
            testDescription:
                "another tag of the same bag is filed at once: it may say something else",
            payloads: [received(second: 0), received(tag("43"), second: 1)],
            outcomes: [.new, .changed],
            scans: 2,
            departed: 1
        ),
        Story(
            testDescription:
                "bytes that are no tag are kept with the reason, and once if repeated at once",
            payloads: [
                received(Array("hello".utf8), second: 0), received(Array("hello".utf8), second: 1),
                received(Array("hello".utf8), second: 20), received([], second: 21),
                received([0xFF, 0, 0xFE], second: 22), received(second: 23),
            ],
            outcomes: [.invalid, .invalid, .invalid, .invalid, .invalid, .new],
            scans: 5,
            departed: 23
        ),
        Story(
            testDescription:
                "a payload too long is kept without its bytes, and half a payload is not",
            payloads: [
                received(.failure(.payloadTooLong), second: 0),
                received(.failure(.cutOff(after: 7)), second: 1),
                received(.failure(.notNetstring), second: 2),
            ],
            outcomes: [.unreadable, .unreadable, .unreadable],
            scans: 1
        ),
    ]

    @Test("follows the law of one sighting", arguments: stories, TestStore.allCases)
    func tells(story: Story, store: TestStore) async throws {
        try await store.withRecord { container in
            let recorder = ScanRecorder(container: container)
            let reports = try story.payloads.map { try recorder.record($0)[0] }
            #expect(reports.map(\.outcome) == story.outcomes)
            #expect(reports.allSatisfy { $0.milliseconds == nil && $0.imageDigest == nil })
            try container.read { context in
                let scans = try context.fetch(FetchRequest(Scan.self))
                #expect(scans.count == story.scans)
                #expect(scans.allSatisfy { $0.imageName == Scan.scannerName && !$0.isTyped })
                let bag = try context.fetch(FetchRequest(Luggage.self)).first
                #expect(
                    bag?.departedAt?.timeIntervalSince1970 == story.departed.map { $0 + 1_000_000 }
                )
                #expect(
                    bag?.arrivedAt?.timeIntervalSince1970 == story.arrived.map { $0 + 1_000_000 }
                )
            }
        }
    }

    @Test("is the same law in one transaction", arguments: stories)
    func together(story: Story) async throws {
        try await TestStore.sqlite.withRecord { container in
            let reports = try ScanRecorder(container: container).record(story.payloads)
            #expect(reports.map { $0[0].outcome } == story.outcomes)
        }
    }

    @Test("does not take a typed tag, or a picture's, for a payload")
    func others() async throws {
        try await TestStore.sqlite.withRecord { container in
            let recorder = ScanRecorder(container: container)
            let picture = ReadPicture(
                name: Scan.scannerName,
                digest: String(repeating: "a", count: 64),
                reading: .success(.of([Self.tag()])),
                point: .origin,
                station: "MUC",
                date: Date(timeIntervalSince1970: 1_000_000)
            )
            let first = try recorder.record(picture)[0]
            #expect(first.outcome == .new)
            let received = try recorder.record(Self.received(second: 1))[0]
            #expect(received.outcome == .updated)
            let again = try recorder.record(picture)[0]
            #expect(again.outcome == .repeated)
        }
    }

    @Test("is filed again if it was taken back, however soon")
    func takenBack() async throws {
        try await TestStore.sqlite.withRecord { container in
            let recorder = ScanRecorder(container: container, author: "anna")
            _ = try recorder.record(Self.received(second: 0))
            let person = Responsibility(author: "anna", reason: "wrong belt")
            _ = try ChangeUndoing(container: container).undo(by: person)
            let report = try recorder.record(Self.received(second: 1))[0]
            #expect(report.outcome == .new)
        }
    }

    @Test("stays one sighting when the names in it were purged")
    func purged() async throws {
        try await TestStore.sqlite.withRecord { container in
            let recorder = ScanRecorder(container: container)
            _ = try recorder.record(Self.received(second: 0))
            try container.transaction { context in
                for scan in try context.fetch(FetchRequest(Scan.self)) {
                    scan.payload = PurgedPayload.of(Array(scan.payload), outcome: scan.outcome)
                }
                try context.save()
            }
            let again = try recorder.record(Self.received(second: 0))[0]
            #expect(again.outcome == .repeated)
        }
    }
}
