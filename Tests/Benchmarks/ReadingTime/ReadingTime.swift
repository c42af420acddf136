internal import Foundation
internal import SeededRandom
internal import Subprocess
internal import SystemPackage
internal import TagDrawing

/// Compares how long reading a picture takes, whole process against whole process.
///
/// Draws a tag as a camera sees it at several sizes, and the ground without a tag, has `luggage read`,
/// `ZXingReader` and `zbarimg` read the same files in turn, and prints medians and ratios: of processor
/// time, which another program's work disturbs least, and of the time that passes.
///
/// Run with `BENCHMARK=1 swift build -c release` and `.build/release/reading-time [ROUNDS]`; needs
/// Debian's `zbar-tools` and `zxing-cpp-tools`.
@main
enum ReadingTime {
    static func main() async throws {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 21
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "reading-time-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        print("Medians of \(rounds), in milliseconds; the ratio of luggage to each in brackets.")
        print(pad("", 24) + "processor time" + pad("", 26) + "time that passes")
        let names = commands.map {
            pad($0[0].split(separator: "/").last.map(String.init) ?? "", 14)
        }
        print(pad("", 24) + names.joined() + names.joined() + "MiB")
        for picture in try Picture.all() {
            let path = folder.appending(path: "picture.png").path(percentEncoded: false)
            try Data(picture.bytes).write(to: URL(filePath: path))
            var runs = [[Cost]](repeating: [], count: commands.count)
            for _ in 0..<rounds {
                for (index, command) in commands.enumerated() {
                    runs[index].append(try await cost(of: command + [path]))
                }
            }
            let memory = runs[0].map(\.mebibytes).max() ?? 0
            print(
                pad(picture.name, 24) + row(runs.map { median($0.map(\.processor)) })
                    + row(runs.map { median($0.map(\.passed)) }) + String(format: "%.1f", memory)
            )
        }
    }

    /// The readers; the path of the picture comes last.
    private static let commands = [
        [beside("luggage"), "read"],
        ["ZXingReader", "-format", "QRCode"],
        ["zbarimg", "--nodbus", "-q", "--raw", "-Sdisable", "-Sqrcode.enable"],
    ]

    /// A program that was built with this one, beside it.
    private static func beside(_ name: String) -> String {
        URL(filePath: CommandLine.arguments[0])
            .resolvingSymlinksInPath()
            .deletingLastPathComponent()
            .appending(path: name)
            .path(percentEncoded: false)
    }

    /// What reading a picture once has cost, of all processes of a reader.
    private struct Cost {
        /// Milliseconds of processor time.
        var processor: Double
        /// Milliseconds from start to end.
        var passed: Double
        /// The peak memory of the largest process.
        var mebibytes: Double
    }

    private static func cost(of command: [String]) async throws -> Cost {
        let result = try await run(
            .path(FilePath(beside("CMeasuredRun"))),
            arguments: Arguments(["600"] + command),
            output: .discarded,
            error: .string(limit: 1 << 12)
        )
        let report = result.standardError
        let figures = report.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        // The status of a process that ended by itself is in the second byte; 127 is no such program.
        guard figures.count == 4, Int(figures[2]) & 0x7F == 0, Int(figures[2]) >> 8 != 127 else {
            throw Failed(command: command.joined(separator: " "), report: report)
        }
        return Cost(
            processor: figures[3] / 1_000_000,
            passed: figures[0] / 1_000_000,
            mebibytes: figures[1] / 1024
        )
    }

    /// A reader could not be run, so that its time says nothing.
    struct Failed: Error {
        let command: String
        let report: String
    }

    private static func row(_ values: [Double]) -> String {
        values.enumerated().map { index, value in
            let ratio = index == 0 ? "" : String(format: " (%.2f)", values[0] / value)
            return pad(String(format: "%.1f", value) + ratio, 14)
        }.joined()
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text.padding(toLength: width, withPad: " ", startingAt: 0)
    }

    private static func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }
}

/// A picture at one size.
private struct Picture {
    let name: String
    let bytes: [UInt8]

    static func all() throws -> [Picture] {
        try [(640, 480), (1730, 1156), (4242, 2828)].flatMap { width, height in
            let megapixels = String(format: "%.1f MP", Double(width * height) / 1_000_000)
            return try [true, false].flatMap { hasCode in
                let scene = try scene(width: width, height: height, hasCode: hasCode)
                let name = hasCode ? megapixels : megapixels + ", no code"
                return [
                    Picture(name: name + ", RGB", bytes: try scene.png(as: .rgb8)),
                    Picture(name: name + ", grey", bytes: try scene.grey().png()),
                ]
            }
        }
    }

    /// A tag across a noisy ground, or as much of it as has no code: what is left of it.
    private static func scene(width: Int, height: Int, hasCode: Bool) throws -> ColourImage {
        var generator = SeededGenerator(seed: 7)
        let drawing = LuggageTagDrawing(
            identifier: "F432BDB8-D84F-4461-8362-AFF89F6C493E",
            givenName: "D",
            familyName: "ZMU",
            pounds: 42
        )
        let (w, h) = (Double(width), Double(height))
        let shift = hasCode ? 0 : 0.4 * w
        let tag = try drawing.drawn(scale: w / 1400).image.warped(
            to: Quadrilateral(
                topLeft: Point(0.04 * w + shift, 0.36 * h),
                topRight: Point(0.94 * w + shift, 0.28 * h),
                bottomRight: Point(0.96 * w + shift, 0.68 * h),
                bottomLeft: Point(0.06 * w + shift, 0.76 * h)
            ),
            width: width,
            height: height
        )
        var scene = ColourImage(width: width, height: height, colour: Colour(grey: 0x60))
        scene.paste(tag, column: 0, row: 0)
        return scene.degraded(by: [.noise(deviation: 2)], using: &generator)
    }
}
