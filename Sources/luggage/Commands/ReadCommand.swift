internal import ArgumentParser
internal import ProgramSupport
internal import TagReading

/// `luggage read`: writes what the symbols in pictures say, and files nothing.
struct ReadCommand: AsyncParsableCommand {
    static let word = "read"

    static let configuration = CommandConfiguration(
        commandName: word,
        abstract: "Read the QR codes in pictures, and file nothing.",
        discussion: """
            luggage read tag.png
            luggage read --format json *.png | jq -r .text
            luggage read --explain why.png tag.png

            If something looks like a code and could not be read, it says where, in pixels from the top \
            left of the picture as it is stored.

            The exit status is 0 if every picture gave at least one code, and no code was refused because \
            of its character set, else 1; what only looks like a code does not change it. Bytes that are \
            no UTF-8 and declare no character set are given as they are.
            """
    )

    @Argument(
        help: "Pictures (PNG or JPEG), or folders of pictures; - for standard input.",
        completion: .file()
    )
    var images: [String]

    @Option(
        word: "How to write each payload.",
        discussion: """
            text: on a line of its own, with what is not text escaped. json: one object a line, with \
            corners and times, or the error; if something looks like a code and could not be read, every \
            object about the picture has the corners of each such place as `unread`. base64: on a line of \
            its own. raw: the bytes, and nothing between them.
            """
    )
    var format: PictureReading.Format = .text

    @OptionGroup var reading: ReadingOptions

    @Option(
        help: ArgumentHelp(
            "Draw what the reader looked at, to a PNG file.",
            discussion: """
                It shows what the reader took for a code in one picture, how far it came with each, \
                and why it read nothing; in red, what looks like a code and could not be read. A picture \
                that is damaged, or could not be examined to its end, gives no drawing.
                """,
            valueName: "path"
        ),
        completion: .file(extensions: ["png"])
    )
    var explain: String?

    @Flag(help: "Replace the file that --explain names.")
    var force = false

    func validate() throws {
        if images.isEmpty { throw ValidationError("name at least one picture") }
        if explain == "" { throw ValidationError("--explain names no file") }
        if explain != nil && images.count > 1 {
            throw ValidationError("--explain draws on one picture: name only one")
        }
        if explain == nil && force {
            throw ValidationError("--force is for the file that --explain names")
        }
    }

    func run() async throws {
        let asked = PictureReading(
            images: images,
            effort: reading.effort,
            format: format,
            explain: explain,
            force: force
        )
        try await asked.run()
    }
}
