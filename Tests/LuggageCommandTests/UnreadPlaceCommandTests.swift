import Foundation
import TagDrawing
import TagPrinting
import Testing

@Suite("Something that looks like a tag and cannot be read", .timeLimit(.minutes(30)))
struct UnreadPlaceCommandTests {
    /// Tags side by side, the last of them covered if there is one to be covered.
    private static func page(sharp: Int, covered: Int = 0) throws -> [UInt8] {
        let symbols = try (0..<sharp + covered).map { number in
            let id = "F432BDB8-D84F-4461-8362-AFF89F6C493\(number)"
            let symbol = try QRSymbol(Array(#"{"id": "\#(id)", "weight": 42}"#.utf8))
            return number < sharp ? symbol.image(module: 4) : symbol.coveredImage(module: 4)
        }
        return try GreyImage(row: symbols, gap: 40).png()
    }

    private let place: Workplace

    init() throws {
        place = try Workplace()
        try place.add("sharp.png", Self.page(sharp: 2))
        try place.add("beside.png", Self.page(sharp: 1, covered: 1))
        try place.add("two.png", Self.page(sharp: 2, covered: 1))
        try place.add("alone.png", Self.page(sharp: 0, covered: 1))
    }

    /// The picture, the exit status of commands, and how many codes are read and not read.
    static let pictures: [(name: String, status: Int32, read: Int, unread: Int)] = [
        ("sharp.png", 0, 2, 0), ("beside.png", 0, 1, 1), ("two.png", 0, 2, 1),
        ("alone.png", 1, 0, 1),
    ]

    @Test(
        "is told by read with its place, in every format",
        arguments: pictures,
        ["text", "json", "base64", "raw"]
    )
    func read(
        picture: (name: String, status: Int32, read: Int, unread: Int),
        format: String
    ) async throws {
        let run = try await place.luggage("read", "--format", format, picture.name)
        #expect(run.status == picture.status)
        if format == "json" {
            let objects = try run.objects()
            #expect(objects.count == max(picture.read, 1))
            for object in objects {
                let places = object["unread"] as? [[[Int]]]
                #expect(places?.count == (picture.unread > 0 ? picture.unread : nil))
                #expect(
                    places?.allSatisfy { $0.count == 4 && $0.allSatisfy { $0.count == 2 } } != false
                )
            }
            #expect(run.errors == "")
            return
        }
        let remark = "looks like a QR code and could not be read"
        let lines = run.errors.split(separator: "\n").filter { $0.contains(remark) }
        #expect(lines.count == picture.unread)
        for line in lines {
            #expect(line.hasPrefix("luggage: \(picture.name): something around x "))
            // In the middle of the last symbol, all of which are of one size.
            let numbers = line.split { !$0.isNumber }.compactMap { Int($0) }
            let side = try #require(numbers.last) * 2
            let middle = picture.read * (side + 40) + side / 2
            #expect(numbers.count == 2 && abs(numbers[0] - middle) <= 12, "\(line)")
        }
        #expect(run.errors.contains("no QR code was read, but something") == (picture.read == 0))
        if format == "text" { #expect(run.lines.count - 1 == picture.read) }
    }

    @Test("is told by scan in the row of the picture, once, and in the summary")
    func scan() async throws {
        let run = try await place.luggage("scan", "--at", "origin", "two.png", "sharp.png")
        #expect(run.status == 0 && run.errors == "")
        let remark =
            "two.png: another place in the picture looks like a tag and could not be read; "
            + "look at the bag"
        #expect(
            run.lines.map { $0.hasSuffix(remark) } == [false, false, true] + [
                false, false, false, false, false,
            ]
        )
        #expect(
            run.output.hasSuffix(
                "2 pictures, 4 results: 2 new, 2 repeated; "
                    + "in 1 picture something else looks like a tag\n"
            )
        )
        // The same picture again is looked at again.
        let again = try await place.luggage("scan", "--at", "origin", "--dry-run", "two.png")
        #expect(again.status == 0 && again.output.contains(remark))

        let alone = try await place.luggage("scan", "--at", "origin", "alone.png", "beside.png")
        #expect(alone.status == 1)
        let words =
            "no QR code was read, but something in the picture looks like one; look at the bag"
        #expect(alone.output.contains("alone.png: \(words)\n"))
        #expect(alone.output.contains("1 no-code; in 1 picture something else looks like a tag\n"))
        let sharp = try await place.luggage("scan", "--at", "origin", "sharp.png")
        #expect(sharp.status == 0 && !sharp.output.contains("looks like"))
    }

    @Test("is told by scan in JSON as a member of its own", arguments: pictures)
    func json(picture: (name: String, status: Int32, read: Int, unread: Int)) async throws {
        let run = try await place.luggage(
            ["scan", "--at", "origin", "--format", "json", picture.name]
        )
        #expect(run.status == picture.status)
        let objects = try run.objects()
        #expect(objects.count == max(picture.read, 1))
        let counts = objects.map { ($0["unread"] as? [[[Int]]])?.count ?? 0 }
        #expect(counts.allSatisfy { $0 == picture.unread })
        #expect(objects.allSatisfy { ($0["unread"] == nil) == (picture.unread == 0) })
    }

    @Test("is told by watch in its log and to the hook; the picture goes where its tags send it")
    func watch() async throws {
        let inbox = place.path("inbox")
        try place.makeFolder("inbox/origin")
        for picture in Self.pictures {
            try FileManager.default.copyItem(
                atPath: place.path(picture.name),
                toPath: "\(inbox)/origin/\(picture.name)"
            )
        }
        let hook =
            "echo \"$LUGGAGE_NAME $LUGGAGE_EVENT: $LUGGAGE_MESSAGE\" >>'\(place.path("ran"))'"
        let run = try await place.luggage("watch", "--once", "--hook", hook, inbox)
        #expect(run.status == 1)
        let remark =
            "another place in the picture looks like a tag and could not be read; look at the bag"
        for (name, isTold) in [("sharp", false), ("beside", true), ("two", true), ("alone", false)]
        {
            #expect(run.errors.contains("\(name).png: \(remark)") == isTold, "\(run.errors)")
        }
        let words =
            "no QR code was read, but something in the picture looks like one; look at the bag"
        #expect(run.errors.contains("alone.png: no-code: \(words)"))
        let told = try String(contentsOfFile: place.path("ran"), encoding: .utf8)
        #expect(
            Set(told.split(separator: "\n").map(String.init)) == [
                "sharp.png processed: ", "beside.png processed: \(remark)",
                "two.png processed: \(remark)", "alone.png failed: \(words)",
            ]
        )
        let status = try await place.luggage("status", "--folder", inbox)
        #expect(status.output.contains("processed: 3; duplicates: 0; failed: 1"))
        let note = try Data(contentsOf: URL(filePath: "\(inbox)/failed/alone.png.error.json"))
        let facts = try #require(try JSONSerialization.jsonObject(with: note) as? [String: Any])
        #expect(facts["message"] as? String == words)
        let results = try #require(facts["results"] as? [[String: Any]])
        #expect((results[0]["unread"] as? [[[Int]]])?.count == 1)
    }
}
