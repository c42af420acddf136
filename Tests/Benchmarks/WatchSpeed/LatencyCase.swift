internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import TagReading

/// How long it takes from the drop of a picture until it is on record and moved.
struct LatencyCase: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "latency",
        abstract: "From the drop of one picture until it is filed, on a service at rest."
    )

    @Option(help: "How many pictures, one after the other.")
    var pictures = 500

    @Flag(help: "Have the pictures belong to another user, as a group drops them.")
    var others = false

    func run() async throws {
        let inbox = try Inbox(isOthers: others)
        let source = try Pictures(tags: 100)
        let pool = ReaderPool(executable: try ReaderPool.locateExecutable(), workers: 1)
        let service = Service(inbox)
        var filed: [Double] = []
        var read: [Double] = []
        for number in 0..<pictures + 20 {
            let name = "\(number).png"
            try inbox.stage(name, source[number])
            let start = ContinuousClock.now
            inbox.drop(name)
            let place = inbox.path("inbox/processed/\(name)")
            while unsafe access(place, F_OK) != 0 { usleep(100) }
            let passed = (ContinuousClock.now - start) / .milliseconds(1)
            let image = try TagImage(path: place)
            let begin = ContinuousClock.now
            _ = try await pool.read(image)
            // The first ones find processes that have not been started.
            guard number >= 20 else { continue }
            filed.append(passed)
            read.append((ContinuousClock.now - begin) / .milliseconds(1))
        }
        // Threads that were of use while pictures came end after a while.
        try await Task.sleep(for: .seconds(10))
        let before = service.wakeUps()
        try await Task.sleep(for: .seconds(120))
        let wakeUps = service.wakeUps().map { $0.value - before[$0.key, default: 0] }
            .filter { $0 > 0 }.sorted(by: >).map(String.init).joined(separator: ", ")
        let memory = service.memory("VmRSS")
        service.end()
        await pool.shutdown()
        print("milliseconds, median and 99th percentile of \(pictures):")
        print(
            String(format: "dropped to filed %.1f %.1f", figures(filed).median, figures(filed).high)
        )
        print(
            String(format: "reading alone    %.1f %.1f", figures(read).median, figures(read).high)
        )
        print("wake-ups in 120 s at rest, by thread: \(wakeUps); memory \(memory / 1024) MiB")
    }
}
