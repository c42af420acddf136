internal import Foundation
internal import PictureReaders
internal import SeededRandom
internal import TagDrawing

/// Compares how long reading a picture takes, whole process against whole process.
///
/// Draws a tag as a camera sees it at several sizes, and the ground without a tag, has `luggage read`,
/// `ZXingReader` and `zbarimg` read the same files in turn, and prints medians and ratios: of processor
/// time, which another program's work disturbs least, and of the time that passes.
///
/// Run with `BENCHMARK=1 swift build -c release` and `.build/release/reading-time [ROUNDS]`. What is missing
/// of Debian's `zbar-tools` and `zxing-cpp-tools` is told, and left out.
@main
enum ReadingTime {
    static func main() async throws {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 21
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "reading-time-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        let (readers, troubles) = try await Reader.sorted(readers)
        for trouble in troubles { print("not measured: \(trouble)") }
        guard readers.first?.name == "luggage" else { return }
        print("Medians of \(rounds), in milliseconds; the ratio of luggage to each in brackets.")
        let breadth = readers.count * 14
        print(pad("", 24) + pad("processor time", breadth) + "time that passes")
        let names = readers.map { pad($0.name, 14) }
        print(pad("", 24) + names.joined() + names.joined() + "MiB")
        for picture in try Picture.all() {
            let path = folder.appending(path: "picture.png").path(percentEncoded: false)
            try Data(picture.bytes).write(to: URL(filePath: path))
            var runs = [[MeasuredRun]](repeating: [], count: readers.count)
            for _ in 0..<rounds {
                for (index, reader) in readers.enumerated() {
                    let run = try await MeasuredRun(reader, on: path, seconds: 600)
                    if let signal = run.signal {
                        throw Ended(reader: reader.name, signal: signal, picture: picture.name)
                    }
                    runs[index].append(run)
                }
            }
            let memory = runs[0].map(\.mebibytes).max() ?? 0
            print(
                pad(picture.name, 24) + row(runs.map { median($0.map(\.processorMilliseconds)) })
                    + row(runs.map { median($0.map(\.milliseconds)) })
                    + String(format: "%.1f", memory)
            )
        }
    }

    /// The readers as their users run them.
    private static let readers = Reader.known.compactMap { reader in
        switch reader.name {
        case "luggage":
            Reader(
                name: reader.name,
                command: [Reader.beside("luggage"), "read"],
                format: .lines,
                remedy: reader.remedy
            )
        case "ZXingReader", "zbarimg-text": reader
        default: nil
        }
    }

    /// A reader was ended, so that its time says nothing.
    struct Ended: Error, CustomStringConvertible {
        let reader: String
        let signal: Int
        let picture: String

        var description: String { "signal \(signal) ended \(reader) on \(picture)" }
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
