internal import Foundation
internal import PictureReaders
internal import TagDrawing
internal import TagScenes
internal import TestFolders
internal import Testing
@testable internal import reading_score

@Suite("A page of pictures")
struct ScorePageTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    /// The page of pictures, each with what is on it and what each reader, by name, has answered.
    private func page(
        _ pictures: [(file: String, payloads: [String], answers: [String])],
        category: String = "noise",
        readers: [String] = ["luggage", "other"],
        at name: String = "score.html"
    ) throws -> String {
        let truths = pictures.map { picture in
            SceneTruth(
                file: picture.file,
                category: category,
                symbols: picture.payloads.map { SceneTruth.Symbol(base64: base64($0)) }
            )
        }
        let lines = try truths.map { try $0.line() + "\n" }.joined()
        try folder.write(Array(lines.utf8), to: "truth.jsonl")
        let scores = readers.enumerated().map { index, name in
            let own = zip(truths, pictures).map { truth, picture in
                let run = MeasuredRun(
                    output: Array(picture.answers[index].utf8),
                    milliseconds: 1,
                    mebibytes: 1,
                    signal: nil
                )
                return PictureScore(truth, [run], format: .lines)
            }
            return (reader: Reader(name: name, command: ["x"], format: .lines), pictures: own)
        }
        let report = ScoreReport(scores, rounds: 1)
        return try ScorePage(report, of: truths, in: PictureSet(folder.path))
            .html(at: URL(filePath: folder.path(name)))
    }

    /// The classes of the pictures, in order.
    private func classes(in page: String) -> [String] {
        page.matches(of: /<figure class="([^"]*)">/).map { String($0.output.1) }
    }

    @Test(
        "tells who has read a picture and who has not",
        arguments: [
            (["a"], ["a", "a"], "all"), (["a"], ["a", ""], "all alone"),
            (["a"], ["", "a"], "all unread beaten"), (["a"], ["", ""], "all unread"),
            (["a", "b"], ["a", "a\nb"], "all unread beaten"),
            (["a", "b", "c"], ["a", "a\nb"], "all unread beaten"),
            (["a", "b"], ["a", "b"], "all unread"),
            (["a"], ["x", ""], "all unread wrong"), (["a"], ["a", "x"], "all alone wrong"),
            ([], ["", ""], "all"), ([], ["x", ""], "all unread beaten wrong"),
        ]
    )
    func choices(payloads: [String], answers: [String], expected: String) throws {
        let page = try page([("a.png", payloads, answers)])
        #expect(classes(in: page) == [expected])
    }

    @Test("counts what each choice shows")
    func counts() throws {
        let page = try page([
            ("a.png", ["a"], ["a", ""]), ("b.png", ["a"], ["", "a"]), ("c.png", ["a"], ["", "x"]),
        ])
        #expect(page.contains(">all (3)</label>"))
        #expect(page.contains(">unread by luggage (2)</label>"))
        #expect(page.contains(">read by another and not by luggage (1)</label>"))
        #expect(page.contains(">read by luggage alone (1)</label>"))
        #expect(page.contains(">wrong answers (1)</label>"))
        #expect(page.contains("<td>33.3</td>"))
        #expect(page.contains("<td>33.3 <b>1 wrong</b></td>"))
    }

    @Test(
        "escapes whatever pictures and readers say",
        arguments: [
            "<script>x</script>", "\"><img src=x onerror=y>", "</style><b>", "&lt;", "'quoted'",
            "<\u{338}script>", "a\u{0}<b", "javascript:x",
        ]
    )
    func escapes(text: String) throws {
        let page = try page(
            [(text, ["a"], ["a", text])],
            category: text,
            readers: [text, "other"]
        )
        // What is in the page without any of it.
        let plain = try self.page(
            [("T", ["a"], ["a", "T"])],
            category: "T",
            readers: ["T", "other"]
        )
        func tags(_ page: String) -> [String] {
            page.unicodeScalars.split { $0 != "<" && $0 != ">" }.map { _ in "" }
        }
        #expect(tags(page) == tags(plain))
        #expect(!page.contains("<script"))
        #expect(!page.contains("href=\"javascript"))
        #expect(
            page.unicodeScalars.count { $0 == "\"" } == plain.unicodeScalars.count { $0 == "\"" }
        )
    }

    @Test("asks for nothing from elsewhere, and has no script")
    func alone() throws {
        let page = try page([("a.png", ["a"], ["a", ""])])
        #expect(page.contains("default-src 'none'; img-src data:; style-src 'unsafe-inline'"))
        #expect(!page.contains("http:") && !page.contains("https:") && !page.contains("//"))
        #expect(!page.contains("<script") && !page.contains("<link"))
    }

    @Test(
        "links to a picture from where it is",
        arguments: [
            ("/a/b/c.png", "/a/b/page.html", "./c.png"),
            ("/a/b/c.png", "/a/page.html", "./b/c.png"),
            ("/a/b/c.png", "/x/y/page.html", "./../../a/b/c.png"),
            ("/a/javascript:x.png", "/a/p.html", "./javascript%3Ax.png"),
            ("/a/ü \"#?.png", "/a/p.html", "./%C3%BC%20%22%23%3F.png"),
        ]
    )
    func links(path: String, page: String, link: String) {
        #expect(ScorePage.link(to: path, from: URL(filePath: page)) == link)
    }

    @Test("has small pictures of PNG and JPEG files, and says where there is none")
    func thumbnails() throws {
        var picture = GreyImage(width: 400, height: 100, level: 20)
        picture.paste(GreyImage(width: 200, height: 100, level: 230), column: 0, row: 0)
        try folder.write(try picture.png(), to: "a.png")
        try folder.write(try picture.jpeg(), to: "a.jpg")
        try folder.write(Array(try picture.jpeg().prefix(40)), to: "cut.jpg")
        try folder.write(Array("not a picture".utf8), to: "b.png")
        for name in ["a.png", "a.jpg"] {
            let small = try #require(Thumbnail(of: folder.path(name), side: 80))
            #expect(small.width == 80 && small.height == 20)
            #expect(small.bytes.starts(with: [0xFF, 0xD8, 0xFF]) && small.bytes.count < 2000)
            #expect(try #require(Thumbnail(of: folder.path(name), side: 800)).width == 400)
        }
        for name in ["cut.jpg", "b.png", "missing.png"] {
            #expect(Thumbnail(of: folder.path(name), side: 80) == nil)
        }
        let page = try page([("a.png", ["a"], ["a", ""]), ("b.png", ["a"], ["a", ""])])
        #expect(page.count(of: "<img ") == 1)
        #expect(page.count(of: "no small picture") == 1)
    }

    @Test("is light")
    func light() throws {
        let pictures = (0..<1000).map { number in
            (file: "\(number).png", payloads: ["a"], answers: ["a", "b"])
        }
        #expect(try page(pictures).utf8.count < 1_000_000)
    }
}

extension String {
    fileprivate func count(of part: String) -> Int { components(separatedBy: part).count - 1 }
}
