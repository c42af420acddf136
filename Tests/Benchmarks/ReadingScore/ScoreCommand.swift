internal import ArgumentParser
internal import Foundation
internal import PictureReaders
internal import TagScenes

/// Compares readers on a folder of pictures.
struct ScoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compare readers on pictures whose truth is known.",
        discussion: """
            Each reader is a process of its own for each picture, and the readers take turns. A picture \
            is read when everything in it was returned byte for byte; whatever else is returned is \
            wrong. Milliseconds are medians, from the start of the process to its end; MiB the peak of \
            the largest of its processes.

            luggage is the one that was built with this program; zbarimg is Debian's zbar-tools, with \
            binary payloads (zbarimg-text: as it comes), ZXingReader is Debian's zxing-cpp-tools, \
            zxing-cpp and opencv (opencv-aruco: with its other detector) are PyPI's with python3 around \
            them. Each has to read a plain symbol before anything is measured.

            reading-score --page score.html pictures
            reading-score --reader luggage --reader ZXingReader pictures
            reading-score --reader 'before=luggage:/old/luggage' --reader luggage --rounds 5 pictures
            reading-score --reader 'zxing-cpp=zxing-cpp:venv/bin/python zxing-cpp.py' pictures
            """
    )

    /// The readers that are compared where none is named.
    private static let usual = [
        "luggage", "zbarimg", "ZXingReader", "zxing-cpp", "opencv", "opencv-aruco",
    ]

    @Option(
        name: .customLong("reader"),
        help: ArgumentHelp(
            "A reader to score; may be repeated. Without it, all that are there.",
            discussion: """
                luggage, zbarimg, zbarimg-text, ZXingReader, zxing-cpp, opencv, opencv-aruco, or \
                NAME=FORMAT:PROGRAM ARGUMENT…, the picture's path being added. FORMAT is luggage, \
                base64, lines, joined or hexadecimal, or one of the above for its format, and for its \
                arguments if there are none.
                """,
            valueName: "reader"
        )
    )
    var readerTexts: [String] = []

    @Option(help: "How often each reader reads each picture.")
    var rounds = 1

    @Option(help: ArgumentHelp("Only this category; may be repeated.", valueName: "category"))
    var only: [String] = []

    @Option(help: "Seconds after which a reader is ended.")
    var limit = 60

    @Option(help: ArgumentHelp("Also write everything as JSON.", valueName: "file"))
    var json: String?

    @Option(
        help: ArgumentHelp(
            "Also write a page that shows each picture, and who has read it.",
            discussion: """
                The page is about the first reader. It is one HTML file with small pictures in it, \
                needs no network, and links to the pictures of the folder.
                """,
            valueName: "file"
        )
    )
    var page: String?

    @Argument(help: "A folder of pictures with truth.jsonl or truth.tsv.", completion: .directory)
    var folder: String

    func validate() throws {
        guard rounds > 0, limit > 0 else {
            throw ValidationError("--rounds and --limit are 1 at least")
        }
        _ = try readerTexts.map(Reader.init(parsing:))
    }

    func run() async throws {
        let set = try PictureSet(folder)
        let pictures = set.pictures.filter { only.isEmpty || only.contains($0.category) }
        guard !pictures.isEmpty else {
            throw ValidationError("\(folder) has no picture of \(only.joined(separator: ", "))")
        }
        let readers = try await readers()
        var scores = readers.map { (reader: $0, pictures: [PictureScore]()) }
        for picture in pictures {
            var runs = readers.map { _ in [MeasuredRun]() }
            for _ in 0..<rounds {
                for (index, reader) in readers.enumerated() {
                    let path = set.path(of: picture)
                    runs[index].append(try await MeasuredRun(reader, on: path, seconds: limit))
                }
            }
            for index in readers.indices {
                let score = PictureScore(picture, runs[index], format: readers[index].format)
                scores[index].pictures.append(score)
            }
        }
        let report = ScoreReport(scores, rounds: rounds)
        print(report.table)
        if let json { try report.json().write(to: URL(filePath: json), options: .atomic) }
        if let page {
            let url = URL(filePath: page)
            let html = ScorePage(report, of: pictures, in: set).html(at: url)
            try Data(html.utf8).write(to: url, options: .atomic)
        }
    }

    /// The readers that were named, all of which have to be there, or those of the usual ones that are.
    private func readers() async throws -> [Reader] {
        let names = readerTexts.isEmpty ? Self.usual : readerTexts
        let (ready, troubles) = try await Reader.sorted(names.map(Reader.init(parsing:)))
        for trouble in troubles where readerTexts.isEmpty {
            FileHandle.standardError.write(Data("left out: \(trouble)\n".utf8))
        }
        guard !ready.isEmpty, troubles.isEmpty || readerTexts.isEmpty else {
            throw ValidationError(troubles.joined(separator: "\n"))
        }
        return ready
    }
}
