internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import SeededRandom

/// Bursts of pictures for a service that is killed again and again.
struct SoakCase: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak",
        abstract:
            "Drop many pictures in bursts, kill the service at random, and compare the record."
    )

    @Option(help: "How many pictures.")
    var pictures = 100_000

    @Option(help: "How often the service is killed.")
    var kills = 25

    @Option(help: "What the bursts and kills are drawn from.")
    var seed: UInt64 = 1

    func run() async throws {
        var generator = SeededGenerator(seed: seed)
        let source = try Pictures(tags: 300)
        let soaked = try Inbox()
        var service = Service(soaked)
        var next = 0
        var killed = 0
        var highest = 0
        while next < pictures {
            let burst = min(pictures - next, 1 + generator.number(below: pictures / 30))
            for number in next..<next + burst {
                try soaked.stage("\(number).png", source[number])
                soaked.drop("\(number).png")
            }
            next += burst
            if killed < kills {
                // At whatever it is doing now, and once more while it catches up.
                usleep(UInt32(generator.number(below: 400_000)))
                highest = max(highest, service.memory("VmHWM"))
                service.end(by: SIGKILL)
                service = Service(soaked)
                killed += 1
            }
            print("\(next) dropped, \(killed) kills, \(soaked.count(in: "origin")) waiting")
        }
        while killed < kills {
            usleep(UInt32(generator.number(below: 400_000)))
            service.end(by: SIGKILL)
            service = Service(soaked)
            killed += 1
        }
        soaked.waitUntilFiled()
        highest = max(highest, service.memory("VmHWM"))
        let resting = service.memory("VmRSS")
        service.end()
        let places = ["origin", "processed", "duplicates", "failed"].map {
            "\($0) \(soaked.count(in: $0))"
        }
        print("after \(killed) kills: \(places.joined(separator: ", "))")
        print("memory: at most \(highest / 1024) MiB, at rest \(resting / 1024) MiB")

        let clean = try Inbox()
        for number in 0..<pictures {
            try clean.stage("\(number).png", source[number])
            clean.drop("\(number).png")
        }
        Service(clean, ["--once"]).wait()
        let isSame = try export(soaked) == export(clean)
        print(isSame ? "the record is that of a clean run" : "THE RECORDS DIFFER")
        guard isSame, soaked.count(in: "processed") == pictures else { throw ExitCode.failure }
    }

    /// What is on record, line by line, but for which scan of a bag was the first to be filed: that is a
    /// matter of chance in a clean run too.
    private func export(_ inbox: Inbox) throws -> [String] {
        let file = inbox.path("export.jsonl")
        Service.run([
            "export", "--store", inbox.store, "--output", file, "--format", "json-lines",
        ])
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let filed = text.replacing(
            /"outcome":"(new|updated|repeated)"/,
            with: #""outcome":"filed""#
        )
        return filed.split(separator: "\n").map(String.init).sorted()
    }
}
