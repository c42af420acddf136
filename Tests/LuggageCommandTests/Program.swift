import Foundation
import Subprocess
import SystemPackage
import TestFolders
import Testing
import TestProcesses

/// A folder with a record of its own, and the program run in it as its users run it.
final class Workplace: Sendable {
    let folder: TemporaryFolder
    /// Beside the other one, of which all is the test's.
    private let settings: TemporaryFolder

    /// Where the record is, unless a test says otherwise.
    var store: String { path("luggage.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
        settings = try TemporaryFolder()
        try settings.write("", to: "none.yaml")
    }

    /// One with a record of many bags.
    static func crowded(_ count: Int) async throws -> Workplace {
        let place = try Workplace()
        let lines = (0..<count).map { number in
            #"{"id":"00000000-0000-4000-8000-\#(100_000_000_000 + number)","weight":1}"#
        }
        try place.add("bags.jsonl", Array(lines.joined(separator: "\n").utf8))
        #expect(try await place.luggage("import", "bags.jsonl").status == 0)
        return place
    }

    func path(_ name: String) -> String { folder.path(name) }

    /// Puts a file into the folder and gives its path.
    @discardableResult
    func add(_ name: String, _ bytes: [UInt8]) throws -> String {
        try folder.write(bytes, to: name)
    }

    /// Makes a folder, with those above it, and gives its path.
    @discardableResult
    func makeFolder(_ name: String) throws -> String {
        let path = path(name)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    /// What a run of the program has left.
    struct Run {
        var status: Int32
        var output: String
        var errors: String

        var lines: [Substring] { output.split(separator: "\n", omittingEmptySubsequences: false) }

        /// The output as JSON lines, each an object.
        func objects() throws -> [[String: Any]] {
            try output.split(separator: "\n").map { line in
                let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
                return try #require(value as? [String: Any])
            }
        }

        /// The output as one JSON array of objects.
        func array() throws -> [[String: Any]] {
            let value = try JSONSerialization.jsonObject(with: Data(output.utf8))
            return try #require(value as? [[String: Any]])
        }
    }

    /// Runs `luggage` to its end.
    func luggage(
        _ arguments: String...,
        environment: [String: String]? = nil
    ) async throws -> Run {
        try await luggage(arguments, environment: environment)
    }

    func luggage(_ arguments: [String], environment: [String: String]? = nil) async throws -> Run {
        // What a service of this machine is told is nothing to these tests.
        let environment = noSettings.merging(environment ?? standardEnvironment) { $1 }
        return try await run(Self.executable, arguments, environment)
    }

    /// Drops a sample where a watched folder `inbox` takes pictures.
    ///
    /// - Parameters:
    ///   - sample: The name of the sample.
    ///   - name: The name that it has there; its own without one.
    ///   - point: Where its bags are.
    /// - Returns: Its path.
    /// - Throws: Where it cannot be copied there.
    @discardableResult
    func drop(_ sample: String, as name: String? = nil, at point: String = "origin") throws
        -> String
    {
        let path = "\(try makeFolder("inbox/\(point)"))/\(name ?? sample)"
        try FileManager.default.copyItem(atPath: Self.sample(sample), toPath: path)
        return path
    }

    /// Runs a command line to its end.
    func shell(_ command: String) async throws -> Run {
        var environment = standardEnvironment
        environment["PATH"] = "/usr/bin:/bin"
        return try await run("/bin/sh", ["-c", command], environment)
    }

    private var standardEnvironment: [String: String] {
        ["LUGGAGE_STORE": store, "TZ": "UTC"].merging(noSettings) { $1 }
    }

    /// Names a configuration file that sets nothing.
    var noSettings: [String: String] { ["LUGGAGE_CONFIGURATION": settings.path("none.yaml")] }

    func run(
        _ executable: String,
        _ arguments: [String],
        _ environment: [String: String]
    ) async throws -> Run {
        let result = try await Subprocess.run(
            .path(.init(executable)),
            arguments: .init(arguments),
            environment: .custom(
                Dictionary(uniqueKeysWithValues: environment.map { (.init(stringLiteral: $0), $1) })
            ),
            workingDirectory: .init(path("")),
            platformOptions: .endingWithTests,
            output: .string(limit: 1 << 20),
            error: .string(limit: 1 << 20)
        )
        guard case .exited(let status) = result.terminationStatus else {
            throw Ended(status: "\(result.terminationStatus)")
        }
        return Run(
            status: status,
            output: result.standardOutput,
            errors: withoutMachine(result.standardError)
        )
    }

    /// What was said, but for a service of this machine, of which a test knows nothing.
    private func withoutMachine(_ errors: String) -> String {
        let words = ", not the one of the service here, "
        if !errors.contains(words) { return errors }
        return errors.split(separator: "\n", omittingEmptySubsequences: false).filter {
            !$0.contains(words) || $0.contains(words + path(""))
        }.joined(separator: "\n")
    }

    /// The program was ended by a signal.
    struct Ended: Error {
        let status: String
    }

    /// The program that was built with these tests, beside them.
    static let executable = URL(filePath: CommandLine.arguments[0])
        .resolvingSymlinksInPath()
        .deletingLastPathComponent()
        .appending(path: "luggage")
        .path(percentEncoded: false)

    static let samples = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .appending(path: "../../samples")
        .standardizedFileURL

    static func sample(_ name: String) -> String {
        samples.appending(path: name).path(percentEncoded: false)
    }
}
