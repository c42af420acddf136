internal import ArgumentParser
internal import Foundation
internal import TagScenes

/// Compares readers on pictures whose truth is known.
///
/// Build with `BENCHMARK=1 swift build -c release`, draw pictures with `draw-tags`, then run
/// `.build/release/reading-score --reader luggage --reader zbarimg FOLDER`.
@main
struct ReadingScore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reading-score",
        abstract: "Compare how much readers read, how much of it is wrong, and what it costs.",
        discussion: """
            Each reader is a process of its own for each picture, and the readers take turns. A picture \
            is read when everything in it was returned byte for byte; whatever else is returned is \
            wrong. Milliseconds are medians, from the start of the process to its end; MiB the peak of \
            the largest of its processes.

            luggage is the one that was built with this program; zbarimg is Debian's zbar-tools, with \
            binary payloads (zbarimg-text: as it comes), ZXingReader is Debian's zxing-cpp-tools, \
            zxing-cpp is PyPI's with python3 around it.

            reading-score --reader luggage --reader ZXingReader pictures
            reading-score --reader 'before=luggage:/old/luggage' --reader luggage --rounds 5 pictures
            reading-score --reader 'zxing-cpp=zxing-cpp:venv/bin/python zxing-cpp.py' pictures
            """
    )

    @Option(
        name: .customLong("reader"),
        help: ArgumentHelp(
            "A reader to score; may be repeated.",
            discussion: """
                luggage, zbarimg, zbarimg-text, ZXingReader, zxing-cpp, or NAME=FORMAT:PROGRAM \
                ARGUMENT…, the picture's path being added. FORMAT is luggage, base64, lines, joined or \
                hexadecimal, or one of the above for its format, and for its arguments if there are none.
                """,
            valueName: "reader"
        )
    )
    var readerTexts: [String]

    @Option(help: "How often each reader reads each picture.")
    var rounds = 1

    @Option(help: ArgumentHelp("Only this category; may be repeated.", valueName: "category"))
    var only: [String] = []

    @Option(help: "Seconds after which a reader is ended.")
    var limit = 60

    @Option(help: ArgumentHelp("Also write everything as JSON.", valueName: "file"))
    var json: String?

    @Argument(help: "A folder of pictures with truth.jsonl or truth.tsv.", completion: .directory)
    var folder: String

    func validate() throws {
        guard !readerTexts.isEmpty else { throw ValidationError("name at least one --reader") }
        guard rounds > 0, limit > 0 else {
            throw ValidationError("--rounds and --limit are 1 at least")
        }
        _ = try readerTexts.map(Reader.init(parsing:))
    }

    func run() async throws {
        let readers = try readerTexts.map(Reader.init(parsing:))
        let set = try PictureSet(folder)
        let pictures = set.pictures.filter { only.isEmpty || only.contains($0.category) }
        guard !pictures.isEmpty else {
            throw ValidationError("\(folder) has no picture of \(only.joined(separator: ", "))")
        }
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
        if let json { try report.json().write(to: URL(filePath: json)) }
    }
}
