import Foundation
import TagDrawing
import TagReading
import Testing

/// Inputs that a fuzzer has found hard, as `Tests/Fuzzing` has them: each as its target reads it.
@Suite("What a fuzzer has found", .timeLimit(.minutes(30)))
struct FuzzRegressionTests {
    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .appending(path: "../Fuzzing/regressions")
        .standardizedFileURL

    static let names: [String] = {
        let path = folder.path(percentEncoded: false)
        return (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? []
    }()

    /// A picture, and the effort that it is worth.
    struct Input {
        var effort: ReadEffort
        var picture: [UInt8]

        /// The first byte tells the effort; of luminance, the next two tell the width.
        init(_ name: String) throws {
            let bytes = try Array(Data(contentsOf: folder.appending(path: name)))
            let number = UInt32(bytes[0]) % 3
            effort = ReadEffort.allCases.first { $0.number == number } ?? .normal
            if name.hasPrefix("lum") {
                let width = Int(bytes[1]) | Int(bytes[2]) << 8
                let height = (bytes.count - 3) / width
                let samples = Array(bytes[3..<3 + width * height])
                picture = try GreyImage(width: width, height: height, samples: samples).png()
            } else if name.hasPrefix("jpeg") {
                picture = [0xFF, 0xD8, 0xFF] + bytes.dropFirst(4)
            } else {
                picture = PNGChunks.mended(Array(bytes.dropFirst()))
            }
        }
    }

    @Test("is there")
    func found() {
        #expect(Self.names.count >= 8)
        #expect(
            Self.names.allSatisfy { $0.prefix { $0 != "-" }.wholeMatch(of: /png|jpeg|lum/) != nil }
        )
    }

    @Test("costs a reader neither its life nor more than its limits", arguments: names)
    func isSurvived(name: String) async throws {
        let input = try Input(name)
        var limits = ReadLimits.default
        limits.effort = input.effort
        // The limit of processor time is what counts here, however busy the machine is.
        limits.time = .seconds(500)
        let executable = try ReaderPool.locateExecutable()
        let pool = ReaderPool(executable: executable, limits: limits, workers: 1)
        let error = await failure(of: pool, reading: input.picture)
        #expect(error == nil || error?.code == .damaged)
        let processes = pool.processIdentifiers
        #expect(processes.count == 1)
        #expect(await failure(of: pool) == nil)
        #expect(pool.processIdentifiers == processes, "the process lives on")
        await pool.shutdown()
    }
}
