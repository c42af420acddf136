internal import Foundation
internal import SeededRandom
internal import Subprocess
internal import SystemPackage
internal import TagDrawing

/// Compares how long reading a picture takes, whole process against whole process.
///
/// Draws a tag as a camera sees it at several sizes, runs `luggage read` and `zbarimg` in turn on the
/// same files, and prints medians and ratios. Machines are noisy: the ratios are what counts.
///
/// Run with `BENCHMARK=1 swift run -c release reading-time [ROUNDS]`; needs Debian's `zbar-tools`.
@main
enum ReadingTime {
    static func main() async throws {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 21
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "reading-time-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        print("picture                luggage    zbarimg   ratio   (ms, median of \(rounds))")
        for picture in try Picture.all() {
            let path = folder.appending(path: "\(picture.name).png").path(percentEncoded: false)
            try Data(picture.bytes).write(to: URL(filePath: path))
            var times: [[Double]] = [[], []]
            for _ in 0..<rounds {
                times[0].append(try await time(.path(.init(luggage)), ["read", path]))
                times[1].append(try await time(.name("zbarimg"), ["-q", "--raw", path]))
            }
            let (ours, theirs) = (median(times[0]), median(times[1]))
            let figures = String(format: "%10.1f %10.1f %7.2f", ours, theirs, ours / theirs)
            print(picture.name.padding(toLength: 20, withPad: " ", startingAt: 0) + figures)
        }
    }

    /// The program that was built with this one, beside it.
    private static let luggage = URL(filePath: CommandLine.arguments[0])
        .resolvingSymlinksInPath()
        .deletingLastPathComponent()
        .appending(path: "luggage")
        .path(percentEncoded: false)

    /// The milliseconds that a program takes, from its start to its end.
    private static func time(_ program: Executable, _ arguments: [String]) async throws -> Double {
        let started = ContinuousClock.now
        let result = try await run(
            program,
            arguments: Arguments(arguments),
            output: .discarded,
            error: .discarded
        )
        let duration = ContinuousClock.now - started
        guard result.terminationStatus.isSuccess else {
            throw Failed(command: "\(program) \(arguments.joined(separator: " "))")
        }
        return duration / .milliseconds(1)
    }

    /// A program did not read a picture, so that its time says nothing.
    struct Failed: Error {
        let command: String
    }

    private static func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }
}

/// A picture of a tag at one size.
private struct Picture {
    let name: String
    let bytes: [UInt8]

    static func all() throws -> [Picture] {
        try [(640, 480), (1730, 1156), (4242, 2828)].flatMap { width, height in
            let scene = try scene(width: width, height: height)
            let megapixels = String(format: "%.1f", Double(width * height) / 1_000_000)
            return [
                Picture(name: "\(megapixels) megapixels RGB", bytes: try scene.png(as: .rgb8)),
                Picture(name: "\(megapixels) megapixels grey", bytes: try scene.grey().png()),
            ]
        }
    }

    /// A tag across a noisy ground.
    private static func scene(width: Int, height: Int) throws -> ColourImage {
        var generator = SeededGenerator(seed: 7)
        let drawing = LuggageTagDrawing(
            identifier: "F432BDB8-D84F-4461-8362-AFF89F6C493E",
            givenName: "D",
            familyName: "ZMU",
            pounds: 42
        )
        let (w, h) = (Double(width), Double(height))
        let tag = try drawing.drawn(scale: w / 1400).image.warped(
            to: Quadrilateral(
                topLeft: Point(0.04 * w, 0.36 * h),
                topRight: Point(0.94 * w, 0.28 * h),
                bottomRight: Point(0.96 * w, 0.68 * h),
                bottomLeft: Point(0.06 * w, 0.76 * h)
            ),
            width: width,
            height: height
        )
        var scene = ColourImage(width: width, height: height, colour: Colour(grey: 0x60))
        scene.paste(tag, column: 0, row: 0)
        return scene.degraded(by: [.noise(deviation: 2)], using: &generator)
    }
}
