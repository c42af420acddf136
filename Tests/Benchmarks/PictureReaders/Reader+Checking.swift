internal import Foundation
internal import TagDrawing
internal import TagPrinting

extension Reader {
    /// Has it read a plain symbol, which every reader reads that is there.
    ///
    /// - Returns: Why it cannot be measured, and what to do about it; nil when it can.
    /// - Throws: When the symbol cannot be drawn or written.
    package func trouble() async throws -> String? {
        let payload = Array("LUGGAGE".utf8)
        let picture = try QRSymbol(payload, correction: .medium).image(module: 6).png()
        let path = FileManager.default.temporaryDirectory
            .appending(path: "plain-symbol-\(UUID().uuidString).png")
        try Data(picture).write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        do {
            let run = try await MeasuredRun(
                self,
                on: path.path(percentEncoded: false),
                seconds: 60
            )
            guard format.payloads(in: run.output, expecting: [payload]) != [payload] else {
                return nil
            }
            return "\(name) does not read a plain symbol: \(remedy)"
        } catch let failure as MeasuredRun.Failed {
            return "\(failure): \(remedy)"
        }
    }

    /// Tells readers that can be measured from those that cannot.
    ///
    /// - Parameter readers: All of them.
    /// - Returns: Those that can, in order, and what is wrong with the others.
    /// - Throws: When the symbol cannot be drawn or written.
    package static func sorted(
        _ readers: [Reader]
    ) async throws -> (ready: [Reader], troubles: [String]) {
        var ready: [Reader] = []
        var troubles: [String] = []
        for reader in readers {
            if let trouble = try await reader.trouble() {
                troubles.append(trouble)
            } else {
                ready.append(reader)
            }
        }
        return (ready, troubles)
    }
}
