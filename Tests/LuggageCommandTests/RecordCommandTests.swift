import Foundation
import TagDrawing
import Testing

@Suite("luggage list, show and passengers")
struct RecordCommandTests {
    @Test("agree on what was filed")
    func agree() async throws {
        let place = try Workplace()
        let tag = Workplace.sample("tag-f432-dzmu.png")
        let second = Workplace.sample("tag-9c41-dzmu.png")
        for (point, time) in [("origin", "08:00"), ("destination", "11:30")] {
            _ = try await place.luggage(
                "scan",
                "--at",
                point,
                "--timestamp",
                "2026-07-01T\(time):00Z",
                tag
            )
        }
        _ = try await place.luggage(
            "scan",
            "--at",
            "origin",
            "--timestamp",
            "2026-07-01T08:05:00Z",
            second
        )

        let list = try await place.luggage("list")
        #expect(
            list.output == """
                BAG       OWNER   WEIGHT  DEPARTED              ARRIVED
                F432BDB8  D/ZMU  42.0 lb  2026-07-01 08:00 UTC  2026-07-01 11:30 UTC
                9C417E05  D/ZMU  31.5 lb  2026-07-01 08:05 UTC  -

                2 bags

                """
        )
        let missing = try await place.luggage("list", "--missing")
        #expect(missing.lines.count == 5)
        #expect(missing.output.contains("9C417E05"))
        #expect(missing.output.contains("1 bag missing"))

        let show = try await place.luggage("show", "f432")
        #expect(
            show.output == """
                Bag       F432BDB8-D84F-4461-8362-AFF89F6C493E
                Owner     D/ZMU
                Weight    42.0 lb
                Departed  2026-07-01 08:00 UTC
                Arrived   2026-07-01 11:30 UTC

                SCANNED               POINT        STATION      OUTCOME  PICTURE
                2026-07-01 08:00 UTC  origin       origin       new      tag-f432-dzmu.png
                2026-07-01 11:30 UTC  destination  destination  updated  tag-f432-dzmu.png

                """
        )
        let passengers = try await place.luggage("passengers")
        #expect(passengers.output == "PASSENGER  BAGS\nD/ZMU         2\n\n1 passenger\n")
    }

    @Test(
        "show finds a bag by any beginning",
        arguments: [
            "F432BDB8-D84F-4461-8362-AFF89F6C493E", "f432bdb8d84f44618362aff89f6c493e", "f",
            "F432BDB8-D",
        ]
    )
    func prefix(_ prefix: String) async throws {
        let place = try Workplace()
        _ = try await place.luggage(
            "scan",
            "--at",
            "origin",
            Workplace.sample("tag-f432-dzmu.png"),
            Workplace.sample("tag-9c41-dzmu.png")
        )
        let run = try await place.luggage("show", prefix, "--format", "json")
        #expect(run.status == 0)
        #expect(run.output.contains("F432BDB8-D84F-4461-8362-AFF89F6C493E"))
    }

    /// Bags of which some begin as others end.
    static let alike = [
        "F432BDB8-0000-4000-8000-0000000000AB", "000000AB-0000-4000-8000-00000000F432",
        "0000C0DE-0000-4000-8000-0000000000AC", "1000C0DE-0000-4000-8000-1000000000AC",
        "BEEF0000-0000-4000-8000-00000000BEEF",
    ]

    /// Digits, and the bag that is looked at and changed by them; else what is said.
    static let digits: [(digits: String, shown: Int?, changed: Int?, words: String)] = [
        ("f432b", 0, 0, ""), ("0000f432", 1, 1, ""), ("-8000-0000000000AB", 0, 0, ""),
        ("80000000 0000f432", nil, nil, "hexadecimal"), ("0000000ab", 0, 0, ""),
        ("0000-000000ab-0000", nil, nil, "no bag begins or ends with 00000000-00AB-0000"),
        ("800000000000f432", 1, 1, ""), ("8000-00000000F432", 1, 1, ""), ("00f432", 1, 1, ""),
        (
            "f432", 0, nil,
            "one bag begins with F432: F432BDB8, and one bag ends with F432: 000000AB"
        ),
        ("ac", nil, nil, "two bags end with AC: 0000C0DE, 1000C0DE; give more"),
        ("1000000000ac", 3, 3, ""), ("beef", 4, 4, ""),
        ("c0de", nil, nil, "begins or ends with C0DE"),
        ("00000000-0000-4000-8000-0000000000ab", nil, nil, "no bag begins with 00000000-0000"),
    ]

    @Test("a bag is found by its last digits, and none is changed that may not be meant")
    func lastDigits() async throws {
        let place = try Workplace()
        let bags = Self.alike.map { #"{"id":"\#($0)","weight":1}"# }
        try place.add("bags.jsonl", Array(bags.joined(separator: "\n").utf8))
        #expect(try await place.luggage("import", "bags.jsonl").status == 0)
        for (digits, shown, changed, words) in Self.digits {
            let show = try await place.luggage("show", "--format", "json", "--", digits)
            if let shown {
                #expect(show.output.contains(Self.alike[shown]), "\(digits): \(show.errors)")
            } else {
                #expect(
                    show.status != 0 && show.errors.contains(words),
                    "\(digits): \(show.errors)"
                )
            }
            let change = ["edit", "--weight", "2lb", "--reason", "x", "--format", "json"]
            let typing = ["file", "--at", "origin", "--reason", "x", "--format", "json"]
            for command in [change, typing] {
                let run = try await place.luggage(command + ["--", digits])
                if let changed {
                    #expect(run.output.contains(Self.alike[changed]), "\(digits): \(run.errors)")
                } else {
                    // A whole identifier is that of a new bag.
                    let isNew = digits.count == 36 && command == typing
                    #expect((run.status == 0) == isNew && run.output.isEmpty != isNew)
                    #expect(isNew || run.errors.contains(words), "\(run.errors)")
                }
            }
            if changed != nil { #expect(try await place.luggage("undo").status == 0) }
            if changed != nil { #expect(try await place.luggage("undo").status == 0) }
        }
        let export = ["export", "--format", "csv", "--records", "bags", "--identifier"]
        let one = try await place.luggage(export + ["00f432", "f432"])
        #expect(
            one.output.split(separator: "\r\n").count == 3 && one.output.contains(Self.alike[1]),
            "\(one.output)"
        )
        let several = try await place.luggage(export + ["ac"])
        #expect(several.status == 1 && several.errors.contains("two bags end with AC"))
    }

    @Test(
        "show names the candidates when a beginning is of several bags, or says that it is of none"
    )
    func ambiguity() async throws {
        let place = try Workplace()
        let ids = ["F4000000-0000-4000-8000-00000000000A", "F4100000-0000-4000-8000-00000000000B"]
        for id in ids {
            let drawing = LuggageTagDrawing(
                identifier: id,
                givenName: "D",
                familyName: "ZMU",
                pounds: 42
            )
            let path = try place.add("\(id).png", drawing.drawn(scale: 0.5).image.png())
            _ = try await place.luggage("scan", "--at", "origin", path)
        }
        let several = try await place.luggage("show", "f4")
        #expect(several.status == 1)
        #expect(
            several.errors
                == "luggage: two bags begin with F4: F4000000, F4100000; give more of the identifier\n"
        )
        let none = try await place.luggage("show", "f43")
        #expect(none.status == 1)
        #expect(
            none.errors
                == "luggage: no bag begins or ends with F43; two begin with F4: F4000000, F4100000\n"
        )
    }
}

@Suite("luggage read")
struct ReadCommandTests {
    private let two = Workplace.sample("two-tags.png")

    @Test("writes a line for each symbol, and files nothing")
    func text() async throws {
        let place = try Workplace()
        let run = try await place.luggage("read", two)
        #expect(
            run.output == """
                {"id":"51E8C7A4-0D3F-4B16-A9E2-83F5607BC41D","owner":["A","LOV"],"weight":22.0}
                {"id":"E69F204D-B7A1-4C58-95D6-0F3CA8E2B714","owner":["G","HOP"],"weight":46.5}

                """
        )
        #expect(run.status == 0)
        #expect(!FileManager.default.fileExists(atPath: place.store))
    }

    @Test("writes JSON with payload, corners and time, or the error")
    func json() async throws {
        let run = try await Workplace().luggage(
            "read",
            "--format",
            "json",
            two,
            Workplace.sample("torn-off.png"),
            Workplace.sample("cut-off.png")
        )
        #expect(run.status == 1)
        let objects = try run.objects()
        #expect(objects.count == 4)
        let text = try #require(objects[0]["text"] as? String)
        let base64 = try #require(objects[0]["base64"] as? String)
        #expect(Data(base64Encoded: base64) == Data(text.utf8))
        #expect((objects[0]["corners"] as? [[Int]])?.count == 4)
        #expect(try #require(objects[0]["milliseconds"] as? Double) > 0)
        let reasons = objects.suffix(2).map {
            ($0["error"] as? [String: Any])?["reason"] as? String
        }
        #expect(reasons == ["no-code", "damaged"])
    }

    @Test("names the character set of a code whose text it does not tell, beside what it tells")
    func refusedText() async throws {
        let place = try Workplace()
        let refused = SegmentedSymbol().declaring(14).bytes("{}".utf8).image(module: 4)
        let good = SegmentedSymbol().declaring(29).bytes([0xD0, 0xBB]).image(module: 4)
        var page = GreyImage(width: 2 * good.width, height: good.height, level: 255)
        page.paste(good, column: 0, row: 0)
        page.paste(refused, column: good.width, row: 0)
        let path = try place.add("two.png", page.png())
        let sentence = """
            the QR code was read, but its text is declared as ISO 8859-12 (ECI 14), which is not a \
            known character set; print the tag in UTF-8
            """
        let text = try await place.luggage("read", path)
        #expect(text.status == 1)
        #expect(text.output == "谢\n")
        #expect(text.errors == "luggage: \(path): \(sentence)\n")
        let json = try await place.luggage("read", "--format", "json", path)
        #expect(json.status == 1)
        let objects = try json.objects()
        #expect(objects.compactMap { $0["text"] as? String } == ["谢"])
        let errors = objects.compactMap { $0["error"] as? [String: Any] }
        #expect(errors.map { $0["reason"] as? String } == ["character-set"])
        #expect(errors.map { $0["message"] as? String } == [sentence])
        #expect(objects.allSatisfy { ($0["corners"] as? [[Int]])?.count == 4 })

        let scan = try await place.luggage("scan", "--at", "origin", path)
        #expect(scan.status == 1)
        #expect(scan.output.contains("two.png: \(sentence)\n"))
        #expect(scan.output.contains("1 invalid, 1 unreadable"))
    }

    @Test("writes the exact bytes")
    func raw() async throws {
        let tag = Workplace.sample("tag-77d0-accents.png")
        let raw = try await Workplace().luggage("read", "--format", "raw", tag)
        let text =
            #"{"id":"77D041BE-6F29-4A85-9C13-E4B75A60D218","owner":["É","MÜL"],"weight":50.0}"#
        #expect(Array(raw.output.utf8) == Array(text.utf8))
        let base64 = try await Workplace().luggage("read", "--format", "base64", tag)
        #expect(base64.output == Data(text.utf8).base64EncodedString() + "\n")
    }
}
