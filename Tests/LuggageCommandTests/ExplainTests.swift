import Foundation
import TagPrinting
import TagDrawing
import Testing

@Suite("luggage read --explain")
struct ExplainTests {
    private let tag = Workplace.sample("tag-f432-dzmu.png")

    /// What is drawn in a file, in pixels: it is not compressed, and greys end below 240.
    private struct Drawing {
        let green, orange, blue, red: Int

        /// The few bytes of the palette and of checksums that look like pixels.
        static let few = 50

        init(_ path: String) throws {
            let bytes = try Data(contentsOf: URL(filePath: path))
            #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
            green = bytes.count { $0 == 242 }
            orange = bytes.count { $0 == 243 }
            blue = bytes.count { $0 == 244 }
            red = bytes.count { $0 == 246 }
        }
    }

    /// Draws a sample and has the program check that the drawing is a whole PNG.
    private func drawing(
        of sample: String,
        status: Int32
    ) async throws -> (Drawing, Workplace.Run) {
        let place = try Workplace()
        let run = try await place.luggage("read", "--explain", "why.png", Workplace.sample(sample))
        #expect(run.status == status)
        let again = try await place.luggage("read", "--format", "json", "why.png")
        #expect(!again.output.contains("damaged") && !again.output.contains("not-an-image"))
        return (try Drawing(place.path("why.png")), run)
    }

    @Test("draws around a code that is read, and reads it as ever")
    func success() async throws {
        let (drawing, run) = try await drawing(of: "tag-f432-dzmu.png", status: 0)
        let plain = try await Workplace().luggage("read", tag)
        #expect(run.output == plain.output && run.errors == "")
        #expect(drawing.green > 1000)
        #expect(drawing.blue > 500)
        #expect(drawing.orange < Drawing.few && drawing.red < Drawing.few)
    }

    @Test("tells that nothing is to be seen, and says so as ever")
    func nothing() async throws {
        let (drawing, run) = try await drawing(of: "torn-off.png", status: 1)
        #expect(run.output == "" && run.errors.contains("no QR code was found"))
        #expect(drawing.green < Drawing.few && drawing.orange < Drawing.few)
        #expect(drawing.red < Drawing.few)
        #expect(drawing.blue > 500)
    }

    @Test("draws around a code that was tried in vain, also beside one that is read")
    func failure() async throws {
        let symbol = try QRSymbol(Array("HELLO TAG".utf8))
        let covered = symbol.coveredImage(module: 6)
        let place = try Workplace()
        try place.add("covered.png", covered.png())
        try place.add(
            "beside.png",
            GreyImage(row: [symbol.image(module: 6), covered], gap: 60).png()
        )
        for (name, status, isRead) in [("covered", 1, false), ("beside", 0, true)]
            as [(String, Int32, Bool)]
        {
            let run = try await place.luggage("read", "--explain", "why-\(name).png", "\(name).png")
            #expect(run.status == status)
            let drawing = try Drawing(place.path("why-\(name).png"))
            #expect(isRead ? drawing.green > 1000 : drawing.green < Drawing.few)
            #expect(drawing.red > 1000)
            #expect(drawing.blue > 500)
        }
    }

    @Test("draws around every code")
    func several() async throws {
        let (drawing, run) = try await drawing(of: "two-tags.png", status: 0)
        #expect(run.lines.count == 3)
        let (one, _) = try await self.drawing(of: "tag-9c41-dzmu.png", status: 0)
        #expect(drawing.green > one.green / 2)
        #expect(drawing.blue > 500)
    }

    @Test("draws nothing of a picture that is damaged, and leaves no file")
    func damaged() async throws {
        let place = try Workplace()
        let run = try await place.luggage(
            "read",
            "--explain",
            "why.png",
            Workplace.sample("cut-off.png")
        )
        #expect(run.status == 1)
        #expect(run.errors.contains("damaged"))
        #expect(run.errors.contains("why.png was not drawn, because"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path("")) == [])
    }

    @Test("says that it draws nothing of a picture with too many codes")
    func tooManyCodes() async throws {
        let symbol = try QRSymbol(Array("TAG".utf8)).image(module: 2)
        var picture = GreyImage(width: 21 * symbol.width, height: 20 * symbol.height, level: 255)
        for index in 0..<420 {
            let (row, column) = index.quotientAndRemainder(dividingBy: 21)
            picture.paste(symbol, column: column * symbol.width, row: row * symbol.height)
        }
        let place = try Workplace()
        try place.add("crowd.png", picture.png())
        let run = try await place.luggage("read", "--explain", "why.png", "crowd.png")
        #expect(run.status == 1)
        #expect(run.errors.contains("why.png was not drawn, because"), "\(run.errors)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: place.path("")) == ["crowd.png"]
        )
    }

    @Test("leaves a file alone that is there, unless it is to be replaced")
    func existing() async throws {
        let place = try Workplace()
        let path = try place.add("why.png", Array("mine".utf8))
        let refused = try await place.luggage("read", "--explain", "why.png", tag)
        #expect(refused.status == 73 && refused.output == "")
        #expect(refused.errors.contains("--force"))
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("mine".utf8))
        let forced = try await place.luggage("read", "--explain", "why.png", "--force", tag)
        #expect(forced.status == 0)
        #expect(try Drawing(path).green > 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path("")) == ["why.png"])
    }

    @Test("never draws over the picture itself")
    func itself() async throws {
        let place = try Workplace()
        let bytes = try Array(Data(contentsOf: URL(filePath: tag)))
        let path = try place.add("tag.png", bytes)
        try FileManager.default.createSymbolicLink(
            atPath: place.path("link.png"),
            withDestinationPath: path
        )
        for name in ["tag.png", "link.png", "./tag.png"] {
            let run = try await place.luggage("read", "--explain", name, "--force", "tag.png")
            #expect(run.status == 73)
            #expect(run.errors.contains("the picture itself"))
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == Data(bytes))
    }

    /// What must come of arguments before the name of the picture.
    static let misuses: [(arguments: [String], status: Int32, words: String)] = [
        (["--explain", "why.png", Workplace.sample("two-tags.png")], 64, "only one"),
        (["--explain", "why.png", Workplace.samples.path(percentEncoded: false)], 64, "only one"),
        (["--explain", ""], 64, "--explain"),
        (["--force"], 64, "--explain"),
        (["--explain", "/dev/full"], 73, "not a regular file"),
        (["--explain", "missing/why.png"], 73, "No such file"),
        (["--explain", "."], 73, "not a regular file"),
    ]

    @Test("says what is wrong, and draws nothing", arguments: misuses)
    func misuse(arguments: [String], status: Int32, words: String) async throws {
        let place = try Workplace()
        let run = try await place.luggage(["read"] + arguments + [tag])
        #expect(run.status == status)
        #expect(run.errors.contains(words), "\(run.errors)")
        #expect(run.output == "")
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path("")) == [])
    }

    @Test("says so where only a folder of several pictures is named")
    func folder() async throws {
        let place = try Workplace()
        let run = try await place.luggage(
            "read",
            "--explain",
            "why.png",
            Workplace.samples.path(percentEncoded: false)
        )
        #expect(run.status == 64)
        #expect(run.errors.contains("only one"))
    }
}
