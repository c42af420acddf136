internal import ArgumentParser
internal import Foundation
internal import TagScenes

/// A folder of pictures whose truth is known.
struct PictureSet {
    let folder: URL
    let pictures: [SceneTruth]

    /// Opens a folder with a `truth.jsonl` as `draw-tags` writes it, or with a `truth.tsv`.
    init(_ path: String) throws {
        folder = URL(filePath: path, directoryHint: .isDirectory)
        if let lines = try? String(
            contentsOf: folder.appending(path: "truth.jsonl"),
            encoding: .utf8
        ) {
            pictures = try lines.split(separator: "\n").map { line in
                try JSONDecoder().decode(SceneTruth.self, from: Data(line.utf8))
            }
        } else if let table = try? String(
            contentsOf: folder.appending(path: "truth.tsv"),
            encoding: .utf8
        ) {
            pictures = PhotographTruth.rows(of: table)
        } else {
            throw ValidationError(
                "\(path) has neither a truth.jsonl nor a truth.tsv that can be read"
            )
        }
    }

    /// The path of a picture's file.
    func path(of picture: SceneTruth) -> String {
        folder.appending(path: picture.file).path(percentEncoded: false)
    }
}

extension SceneTruth {
    /// The payloads that are there to read.
    var payloads: [[UInt8]] {
        symbols.compactMap { Data(base64Encoded: $0.base64).map(Array.init) }
    }

    /// Whether all of the truth is known, so that another answer is a wrong one.
    var isKnown: Bool { category != PhotographTruth.unknown }
}
