import Foundation
import LuggageTags
import ObjectStore
import TagDrawing
import TagReading
import Testing
import ZBarTagReader

@Suite("Scanning a picture into a context")
struct LuggageTagScannerTests {
    private let noon = Date(timeIntervalSince1970: 1_000_000)

    @Test("at origin and later at the destination, in contexts of their own, gives one bag")
    func bothPoints() async throws {
        let drawing = LuggageTagDrawing(
            identifier: "F432BDB8-D84F-4461-8362-AFF89F6C493E",
            givenName: "D",
            familyName: "ZMU",
            pounds: 42
        )
        let image = try TagImage(bytes: drawing.drawn(scale: 0.5).image.png())
        let scanner = LuggageTagScanner(reader: ZBarTagReader())
        for store in TestStore.allCases {
            try await store.withRecord { container in
                for (point, hours) in [(Point.origin, 0.0), (.destination, 5.0)] {
                    let context = container.makeContext()
                    let date = noon + hours * 3600
                    let tags = try await scanner.scan(
                        image: image,
                        at: point,
                        in: context,
                        date: date
                    )
                    #expect(try tags.map { try $0.get().weight } == [42])
                    try await context.save()
                }
                #expect(
                    try Bag.all(in: container) == [
                        Bag(
                            id: drawing.identifier,
                            owner: "D/ZMU",
                            weight: 42,
                            departed: 1_000_000,
                            arrived: 1_018_000
                        )
                    ]
                )
            }
        }
    }

    @Test("gives each tag a result of its own, and a bad one leaves nothing")
    func oneBadTag() async throws {
        let reader = FixedReader(payload(), payload(secondID, weight: "-3"), "not a tag")
        try await TestStore.memory.withRecord { container in
            let context = container.makeContext()
            let image = try TagImage(bytes: [])
            let tags = try await LuggageTagScanner(reader: reader)
                .scan(image: image, at: .destination, in: context, date: noon)
            #expect(tags.count == 3)
            #expect(try tags[0].get().arrivedAt == noon)
            #expect(throws: TagError.self) { try tags[1].get() }
            #expect(throws: TagError.self) { try tags[2].get() }
            #expect(try context.count(FetchRequest(Luggage.self)) == 1)
            #expect(try context.count(FetchRequest(Passenger.self)) == 1)
        }
    }

    @Test("says of each symbol whose text is not told which character set it declares")
    func refusedText() async throws {
        let refusals = [
            TextRefusal(.unknownSet, characterSet: 14), TextRefusal(.invalidText, characterSet: 26),
            TextRefusal(.ambiguousText, characterSet: 20),
            TextRefusal(.unknownSet, characterSet: 14),
        ]
        let symbols = refusals.map { Symbol(payload: [], refusal: $0) }
        let reading = Reading(symbols: symbols, width: 9, height: 9, duration: .zero)
        try await TestStore.memory.withRecord { container in
            let tags = try await LuggageTagScanner(reader: FixedReader(reading))
                .scan(image: TagImage(bytes: []), at: .origin, in: container.makeContext())
            let errors = tags.map { tag in #expect(throws: TagError.self) { try tag.get() } }
            #expect(
                errors.map { $0?.code.description } == Array(repeating: "character-set", count: 3)
            )
            #expect(errors.allSatisfy { $0?.outcome == .unreadable })
            #expect(
                errors.first??.message == """
                    the QR code was read, but its text is declared as ISO 8859-12 (ECI 14), which is \
                    not a known character set; print the tag in UTF-8
                    """
            )
        }
    }

    @Test(
        "says why a picture gives nothing",
        arguments: [
            (FixedReader(), "no-code", Outcome.noCode),
            (FixedReader(.of([], unread: [UnreadPlace(corners: [])])), "no-code", .noCode),
            (FixedReader(ReadError(.damaged, "it ends early")), "damaged", .damaged),
            (FixedReader(ReadError(.notAnImage, "the file is a JPEG")), "not-an-image", .damaged),
            (FixedReader(ReadError(.tooManyPixels, "too large")), "too-many-pixels", .unreadable),
            (FixedReader(ReadError(.readerCrashed, "it crashed")), "reader-crashed", .unreadable),
        ]
    )
    func nothing(reader: FixedReader, reason: String, outcome: Outcome) async throws {
        try await TestStore.memory.withRecord { container in
            let context = container.makeContext()
            let image = try TagImage(bytes: [])
            let error = await #expect(throws: TagError.self) {
                _ = try await LuggageTagScanner(reader: reader)
                    .scan(image: image, at: .origin, in: context)
            }
            #expect(error?.code.description == reason)
            #expect(error?.outcome == outcome)
            #expect(!context.hasChanges)
        }
    }
}
