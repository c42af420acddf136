internal import Foundation

/// Draws the pictures in `samples`, each time the same ones.
@main
struct DrawSamples {
    static func main() {
        guard CommandLine.arguments.count == 2 else {
            complain("usage: draw-samples FOLDER")
            exit(64)
        }
        let folder = URL(filePath: CommandLine.arguments[1], directoryHint: .isDirectory)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for sample in Sample.all {
                let bytes = try sample.draw()
                try Data(bytes).write(to: folder.appending(path: sample.name))
                print("\(sample.name): \(bytes.count) bytes")
            }
        } catch {
            complain("draw-samples: \(error)")
            exit(1)
        }
    }

    private static func complain(_ message: String) {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
    }
}
