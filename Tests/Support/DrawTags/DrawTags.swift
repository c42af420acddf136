internal import ArgumentParser
internal import Foundation
internal import TagScenes

/// Draws pictures of tags with what is to be read on them.
@main
struct DrawTags: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "draw-tags",
        abstract: "Draw pictures of tags, from easy to hopeless, with what is to be read on them.",
        discussion: """
            The same arguments give the same files. Each picture is a PNG file, those of telephones are \
            JPEG files; truth.jsonl has a line for each with its category, its severity, and the \
            payloads and corners of its symbols.

            For a set that nobody has tuned on, give a --seed that was never used before.
            """
    )

    /// Which pictures.
    enum Choice: String, CaseIterable, ExpressibleByArgument {
        case tuning, validation
    }

    @Option(help: "The pictures to tune on, or those to judge by.")
    var set: Choice = .tuning

    @Option(help: "Pictures of each category (default: 40, 16 of the large ones).")
    var count: Int?

    @Option(help: ArgumentHelp("Only this category; may be repeated.", valueName: "category"))
    var only: [SceneCategory] = []

    @Option(help: "A set of your own instead.")
    var seed: UInt64?

    @Argument(help: "The folder for the pictures.", completion: .directory)
    var output: String

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count is 1 at least") }
    }

    func run() async throws {
        let scenes = seed.map(SceneSet.init(seed:)) ?? (set == .tuning ? .tuning : .validation)
        let folder = URL(filePath: output, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let categories = only.isEmpty ? SceneCategory.allCases : only
        let wanted = categories.flatMap { category in
            (0..<(count ?? category.usualCount)).map { (category, $0) }
        }
        // Two at a time: large pictures need hundreds of megabytes each.
        let lines = try await withThrowingTaskGroup(of: (Int, String).self) { group in
            var lines = [String](repeating: "", count: wanted.count)
            for (index, (category, number)) in wanted.enumerated() {
                if index >= 2, let (done, line) = try await group.next() { lines[done] = line }
                group.addTask {
                    let picture = try scenes.picture(category, number: number)
                    let digits = String(format: "%03d", number)
                    let name = "\(category.rawValue)-\(digits).\(picture.fileExtension)"
                    try Data(picture.file()).write(to: folder.appending(path: name))
                    return (index, try SceneTruth(picture, file: name).line())
                }
            }
            for try await (done, line) in group { lines[done] = line }
            return lines
        }
        let truth = lines.map { $0 + "\n" }.joined()
        try Data(truth.utf8).write(to: folder.appending(path: "truth.jsonl"))
    }
}

extension SceneCategory: ExpressibleByArgument {}
