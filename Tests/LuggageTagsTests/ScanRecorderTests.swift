import SeededRandom
import Foundation
import LuggageTags
import ObjectStore
import TagDrawing
import TagReading
import Testing

@Suite("Filing pictures")
struct ScanRecorderTests {
    /// Pictures in the order in which they are filed, and what must come of them.
    struct Story: CustomTestStringConvertible {
        let testDescription: String
        let pictures: [ReadPicture]
        let outcomes: [Outcome]
        var bags: [Bag]?
    }

    private static let id = "F432BDB8-D84F-4461-8362-AFF89F6C493E"

    /// 19.05 kg in pounds.
    private static let roundedWeight = Float(19.05 / MassUnit.kilogramsPerPound)

    static let stories = [
        Story(
            testDescription: "origin, then destination, is one bag with both times",
            pictures: [
                .of(payload(), name: "a"),
                .of(payload(), name: "b", at: .destination, second: 1_000_100),
            ],
            outcomes: [.new, .updated],
            bags: [
                Bag(id: id, owner: "D/ZMU", weight: 42, departed: 1_000_000, arrived: 1_000_100)
            ]
        ),
        Story(
            testDescription: "the same picture may be filed once at each point",
            pictures: [
                .of(payload(), station: "MUC"),
                .of(payload(), at: .destination, station: "MUC", second: 1_000_100),
            ],
            outcomes: [.new, .updated],
            bags: [
                Bag(id: id, owner: "D/ZMU", weight: 42, departed: 1_000_000, arrived: 1_000_100)
            ]
        ),
        Story(
            testDescription: "the same picture again is repeated, whatever the time",
            pictures: [.of(payload()), .of(payload(), second: 1_000_500)],
            outcomes: [.new, .repeated],
            bags: [Bag(id: id, owner: "D/ZMU", weight: 42, departed: 1_000_000)]
        ),
        Story(
            testDescription: "another picture that adds nothing is repeated",
            pictures: [.of(payload(), name: "a"), .of(payload(), name: "b")],
            outcomes: [.new, .repeated],
            bags: [Bag(id: id, owner: "D/ZMU", weight: 42, departed: 1_000_000)]
        ),
        Story(
            testDescription: "the latest scan counts, in whatever order",
            pictures: [
                .of(payload(), name: "a", second: 1_000_100),
                .of(payload(), name: "b", second: 1_000_000),
            ],
            outcomes: [.new, .repeated],
            bags: [Bag(id: id, owner: "D/ZMU", weight: 42, departed: 1_000_100)]
        ),
        Story(
            testDescription: "another weight is a change, and the later tag counts",
            pictures: [
                .of(payload(), name: "a"), .of(payload(weight: "43"), name: "b", second: 1_000_100),
            ],
            outcomes: [.new, .changed],
            bags: [Bag(id: id, owner: "D/ZMU", weight: 43, departed: 1_000_100)]
        ),
        Story(
            testDescription: "a weight that differs by rounding is none, and the later tag counts",
            pictures: [
                .of(payload(), name: "a"),
                .of(payload(weight: "\"19.05 kg\""), name: "b"),
                .of(payload(weight: "41.95"), name: "c", at: .destination),
                .of(payload(weight: "\"19.05 kg\""), name: "d", at: .destination),
            ],
            outcomes: [.new, .repeated, .updated, .repeated],
            bags: [
                Bag(
                    id: id,
                    owner: "D/ZMU",
                    weight: roundedWeight,
                    departed: 1_000_000,
                    arrived: 1_000_000
                )
            ]
        ),
        Story(
            testDescription: "a weight that differs by more than rounding is a change",
            pictures: [
                .of(payload(), name: "a"),
                .of(payload(weight: "\"19.1 kg\""), name: "b"),
                .of(payload(weight: "42.2"), name: "c"),
                .of(payload(owner: ["E", "ZMU"], weight: "42.2"), name: "d"),
            ],
            outcomes: [.new, .changed, .changed, .changed]
        ),
        Story(
            testDescription: "another owner is a change, and the later tag counts",
            pictures: [
                .of(payload(), name: "a"),
                .of(payload(owner: ["E", "ZMU"]), name: "b", second: 1_000_100),
            ],
            outcomes: [.new, .changed],
            bags: [Bag(id: id, owner: "E/ZMU", weight: 42, departed: 1_000_100)]
        ),
        Story(
            testDescription: "a contradicting tag that was scanned earlier does not count",
            pictures: [
                .of(payload(), name: "a", second: 1_000_100),
                .of(payload(owner: ["E", "ZMU"], weight: "50"), name: "b"),
            ],
            outcomes: [.new, .changed],
            bags: [Bag(id: id, owner: "D/ZMU", weight: 42, departed: 1_000_100)]
        ),
        Story(
            testDescription: "a tag without an owner keeps the one on record",
            pictures: [
                .of(payload(), name: "a"),
                .of(payload(owner: nil), name: "b", at: .destination),
            ],
            outcomes: [.new, .updated],
            bags: [
                Bag(id: id, owner: "D/ZMU", weight: 42, departed: 1_000_000, arrived: 1_000_000)
            ]
        ),
        Story(
            testDescription: "an owner who was not known is no contradiction",
            pictures: [.of(payload(owner: nil), name: "a"), .of(payload(), name: "b")],
            outcomes: [.new, .updated],
            bags: [Bag(id: id, owner: "D/ZMU", weight: 42, departed: 1_000_000)]
        ),
        Story(
            testDescription: "names in composed and decomposed form are one passenger",
            pictures: [
                .of(payload(owner: ["E\u{301}", "MU\u{308}L"]), name: "a"),
                .of(payload(owner: ["\u{C9}", "M\u{DC}L"]), name: "b"),
            ],
            outcomes: [.new, .repeated],
            bags: [Bag(id: id, owner: "É/MÜL", weight: 42, departed: 1_000_000)]
        ),
        Story(
            testDescription: "one bad tag in a picture does not spoil the others",
            pictures: [.of(payload(weight: "\"heavy\""), payload(secondID), "HELLO TAG")],
            outcomes: [.invalid, .new, .invalid],
            bags: [Bag(id: secondID, owner: "D/ZMU", weight: 42, departed: 1_000_000)]
        ),
        Story(
            testDescription: "a tag that shows its code twice is one tag",
            pictures: [.of(payload(), payload())],
            outcomes: [.new],
            bags: [Bag(id: id, owner: "D/ZMU", weight: 42, departed: 1_000_000)]
        ),
        Story(
            testDescription: "a failure is reported as such each time",
            pictures: [.of("HELLO TAG"), .of("HELLO TAG"), .of(name: "empty"), .of(name: "empty")],
            outcomes: [.invalid, .invalid, .noCode, .noCode],
            bags: []
        ),
    ]

    @Test("tells a true story", arguments: stories, TestStore.allCases)
    func tells(story: Story, store: TestStore) async throws {
        try await store.withRecord { container in
            let recorder = ScanRecorder(container: container)
            let reports = try story.pictures.flatMap { try recorder.record($0) }
            #expect(reports.map(\.outcome) == story.outcomes)
            if let bags = story.bags { #expect(try Bag.all(in: container) == bags) }
        }
    }

    /// Tags of a picture, how many places in it look like one, and what people are told of those.
    static let unread: [(tags: [String], places: Int, words: String?)] = [
        ([payload()], 0, nil), ([], 0, "no QR code was found in the picture"),
        (
            [], 1,
            "no QR code was read, but something in the picture looks like one; look at the bag"
        ),
        (
            [], 8,
            "no QR code was read, but something in the picture looks like one; look at the bag"
        ),
        (
            [payload()], 1,
            "another place in the picture looks like a tag and could not be read; look at the bag"
        ),
        (
            [payload(), "HELLO TAG"], 2,
            "other places in the picture look like tags and could not be read; look at the bags"
        ),
    ]

    @Test("reports what looks like a tag and could not be read", arguments: unread)
    func unreadPlaces(tags: [String], places: Int, words: String?) async throws {
        try await TestStore.memory.withRecord { container in
            var picture = ReadPicture.of()
            let places = (0..<places).map { number in
                UnreadPlace(
                    corners: [(0, 0), (9, 0), (9, 9), (0, 9)].map { x, y in
                        PixelPoint(x: 20 * number + x, y: y)
                    }
                )
            }
            picture.reading = .success(.of(tags.map { Array($0.utf8) }, unread: places))
            let recorder = ScanRecorder(container: container)
            // The record keeps nothing of it, but it is read again each time.
            for _ in 1...2 {
                let reports = try recorder.record(picture)
                #expect(reports.count == max(tags.count, 1))
                for report in reports {
                    #expect(report.unread?.count == (places.isEmpty ? nil : places.count))
                    #expect(report.unread?.first ?? [] == places.first?.corners.map(\.pair) ?? [])
                    let message = report.outcome == .noCode ? report.error?.message : nil
                    #expect(report.unreadRemark ?? message == words)
                    let bytes = try JSONEncoder.forReports().encode(report)
                    let json = String(decoding: bytes, as: UTF8.self)
                    #expect(json.contains("\"unread\"") == !places.isEmpty)
                    let again = try JSONDecoder.forReports().decode(ScanReport.self, from: bytes)
                    #expect(again.unread == report.unread)
                }
            }
        }
    }

    @Test("keeps one scan of each tag of each picture, failures too", arguments: TestStore.allCases)
    func custody(store: TestStore) async throws {
        try await store.withRecord { container in
            let recorder = ScanRecorder(container: container)
            let pictures: [ReadPicture] = [
                .of(payload(), "HELLO", name: "in/a.png", station: "MUC"),
                .of(name: "in/b.png", station: "MUC", second: 1_000_001),
            ]
            for picture in pictures + pictures { _ = try recorder.record(picture) }
            let context = container.makeContext()
            let request = FetchRequest(Scan.self).sorted(by: \.scannedAt).sorted(by: \.outcome)
            let scans = try context.fetch(request)
            #expect(scans.map(\.outcome) == [.invalid, .new, .noCode])
            #expect(scans.map(\.reason) == ["not-json", "", "no-code"])
            #expect(scans.map(\.imageName) == ["a.png", "a.png", "b.png"])
            #expect(scans.map(\.payload) == [Data("HELLO".utf8), Data(payload().utf8), Data()])
            #expect(scans.map(\.luggage?.owner?.name.description) == [nil, "D/ZMU", nil])
        }
    }

    @Test("does not keep a failure for which the picture is not to blame")
    func transientFailure() async throws {
        try await TestStore.memory.withRecord { container in
            var picture = ReadPicture.of(name: "a")
            picture.reading = .failure(ReadError(.readerUnavailable, "no reader"))
            let reports = try ScanRecorder(container: container).record(picture)
            #expect(reports.map(\.outcome) == [.unreadable])
            #expect(try container.makeContext().count(FetchRequest(Scan.self)) == 0)
        }
    }

    @Test(
        "two bags of one passenger give one passenger with two bags",
        arguments: TestStore.allCases
    )
    func onePassenger(store: TestStore) async throws {
        try await store.withRecord { container in
            let recorder = ScanRecorder(container: container)
            _ = try recorder.record(.of(payload(), payload(secondID)))
            let passengers = try container.makeContext().fetch(FetchRequest(Passenger.self))
            #expect(passengers.map(\.luggage.count) == [2])
        }
    }

    @Test(
        "over a scratch store gives true reports and files nothing",
        arguments: TestStore.allCases
    )
    func rehearsal(store: TestStore) async throws {
        try await store.withStore { store in
            let model = try LuggageModel.make()
            let container = try PersistentContainer(model: model, store: store)
            _ = try ScanRecorder(container: container).record(.of(payload(secondID), name: "old"))
            let before = try Bag.all(in: container)

            let scratch = try PersistentContainer(model: model, store: ScratchStore(over: store))
            let recorder = ScanRecorder(container: scratch)
            let outcomes = try [
                ReadPicture.of(payload(), name: "a"), .of(payload(), name: "b", at: .destination),
                .of(payload(weight: "-1"), name: "c"), .of(payload(), name: "a"),
                .of(payload(secondID, weight: "50"), name: "d"),
                .of(payload(secondID), name: "old"),
            ].flatMap { try recorder.record($0).map(\.outcome) }
            #expect(outcomes == [.new, .updated, .invalid, .repeated, .changed, .repeated])
            #expect(try Bag.all(in: scratch).count == 2)
            #expect(try Bag.all(in: container) == before)
            #expect(try container.makeContext().count(FetchRequest(Scan.self)) == 1)
        }
    }

    @Test("takes a time to come for the present")
    func future() async throws {
        try await TestStore.memory.withRecord { container in
            let present = Date(timeIntervalSince1970: 1_000_050)
            let recorder = ScanRecorder(container: container) { present }
            _ = try recorder.record(.of(payload(), second: 9_000_000_000))
            #expect(try Bag.all(in: container).map(\.departed) == [1_000_050])
        }
    }

    @Test("keeps a failure beside what a later attempt makes of the same picture")
    func laterSuccess() async throws {
        try await TestStore.memory.withRecord { container in
            let recorder = ScanRecorder(container: container)
            var failed = ReadPicture.of(name: "a")
            failed.reading = .failure(ReadError(.timedOut, "it took too long"))
            let outcomes = try [failed, .of(name: "a"), .of(payload(), name: "a")]
                .flatMap { try recorder.record($0).map(\.outcome) }
            #expect(outcomes == [.unreadable, .noCode, .new])
            let scans = try container.makeContext().fetch(FetchRequest(Scan.self))
            #expect(scans.map(\.reason) == ["timed-out", "no-code", ""])
            #expect(scans.map { $0.luggage != nil } == [false, false, true])
        }
    }

    @Test("in any order ends in the same record", arguments: 0..<50)
    func anyOrder(seed: Int) async throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let owners: [[String]?] = [["D", "ZMU"], ["E", "ZMU"], nil]
        // Some of them are the same but for rounding, and not each with each other.
        let weights = ["40", "41", "42", "\"19.05 kg\"", "41.96", "42.04"]
        let pictures: [ReadPicture] = (0..<30).map { number in
            .of(
                payload(
                    "F432BDB8-D84F-4461-8362-AFF89F6C493\(Int.random(in: 0..<4, using: &generator))",
                    owner: owners.randomElement(using: &generator) ?? nil,
                    weight: weights.randomElement(using: &generator) ?? ""
                ),
                name: "picture \(number)",
                at: Bool.random(using: &generator) ? .origin : .destination,
                // Some at the same time, as pictures are that one command files.
                second: Double(1_000_000 + Int.random(in: 0..<10, using: &generator))
            )
        }
        func record(_ pictures: [ReadPicture]) async throws -> [Bag] {
            try await TestStore.memory.withRecord { container in
                let recorder = ScanRecorder(container: container)
                for picture in pictures { _ = try recorder.record(picture) }
                return try Bag.all(in: container)
            }
        }
        let inOrder = try await record(pictures)
        let shuffled = try await record(pictures.shuffled(using: &generator))
        #expect(inOrder == shuffled, "seed \(seed)")
    }
}
