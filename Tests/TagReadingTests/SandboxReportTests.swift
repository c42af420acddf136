import CReaderProtocol
import Foundation
import TagReading
import Testing

@Suite("What a reader process says of its sandbox", .timeLimit(.minutes(30)))
struct SandboxReportTests {
    @Test("is known before there is a picture, and the process is kept for it")
    func prepare() async throws {
        let pool = try ReaderPool(executable: ReaderPool.locateExecutable(), workers: 1)
        #expect(pool.sandbox == nil && pool.processIdentifiers.isEmpty)
        let report = try await pool.prepare()
        #expect(pool.sandbox == report)
        let processes = pool.processIdentifiers
        #expect(processes.count == 1)
        #expect(await failure(of: pool) == nil)
        #expect(try await pool.prepare() == report)
        #expect(pool.processIdentifiers == processes)
        await pool.shutdown()
        await #expect(throws: ReadError.self) { try await pool.prepare() }
    }

    @Test("is that everything this kernel has is in effect", .disabled(if: isSanitized))
    func complete() async throws {
        let pool = try ReaderPool(executable: ReaderPool.locateExecutable(), workers: 1)
        let report = try await pool.prepare()
        #expect(report.filtersSystemCalls)
        #expect(report.landlockVersion ?? 0 == min(kernelLandlockVersion, 6))
        #expect(report.isComplete == (kernelLandlockVersion > 0))
        if kernelLandlockVersion >= 6 {
            #expect(report.description == "Landlock version 6; system calls filtered")
        }
    }

    @Test("is that a sanitizer's build has no sandbox", .enabled(if: isSanitized))
    func sanitized() async throws {
        let pool = try ReaderPool(executable: ReaderPool.locateExecutable(), workers: 1)
        let report = try await pool.prepare()
        #expect(report.landlockVersion == nil && !report.filtersSystemCalls)
        #expect(report.missing.allSatisfy { $0.contains("sanitizer's build") })
        #expect(!report.isComplete)
    }

    static let lesserKernels: [(features: [String], missing: [String])] = [
        (["landlock"], ["Landlock: not offered by this kernel"]),
        (["landlock-at-boot"], ["Landlock: switched off when this kernel was started"]),
        (["filter"], ["filter of system calls: not offered by this kernel"]),
        (
            ["landlock", "filter"],
            [
                "Landlock: not offered by this kernel",
                "filter of system calls: not offered by this kernel",
            ]
        ),
    ]

    @Test(
        "names what the kernel lacks, and pictures are read all the same",
        .disabled(if: isSanitized),
        .enabled(if: kernelLandlockVersion >= 6, "this kernel lacks more than the test takes away"),
        arguments: lesserKernels
    )
    func lesserKernel(features: [String], missing: [String]) async throws {
        let reader = try ReaderPool.locateExecutable()
        let lack = features.map { "\"\(HostileReader.executable)\" without \($0)" }
            .joined(separator: " ")
        let kernel = try FakeReader("exec \(lack) \"\(reader)\" \"$@\"")
        let pool = kernel.patientPool()
        #expect(try await pool.prepare().missing == missing)
        #expect(await failure(of: pool) == nil)
    }

    /// A greeting, and what is to be made of it.
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let missing: [String]
        let change: @Sendable (inout ReaderGreeting) -> Void

        init(
            _ testDescription: String,
            _ missing: [String],
            _ change: @escaping @Sendable (inout ReaderGreeting) -> Void
        ) {
            self.testDescription = testDescription
            self.missing = missing
            self.change = change
        }
    }

    static let rows: [Row] = [
        Row("Landlock version 6; system calls filtered", []) { _ in },
        Row("Landlock version 2; system calls filtered", []) { $0.landlock_version = 2 },
        Row(
            "system calls filtered; Landlock: refused by the system: Operation not permitted",
            ["Landlock: refused by the system: Operation not permitted"]
        ) { $0.landlock_error = EPERM },
        Row("system calls filtered; Landlock: not in effect", ["Landlock: not in effect"]) {
            $0.landlock_version = 0
        },
        Row(
            "Landlock version 6; filter of system calls: not known for this kind of processor",
            ["filter of system calls: not known for this kind of processor"]
        ) { $0.filter_error = ENOTSUP },
        Row(
            "Landlock version 4; Landlock: version 4 of this kernel does not deny "
                + "commands to devices, abstract sockets and signals; "
                + "filter of system calls: refused by the system: Permission denied",
            [
                "Landlock: version 4 of this kernel does not deny "
                    + "commands to devices, abstract sockets and signals",
                "filter of system calls: refused by the system: Permission denied",
            ]
        ) { ($0.landlock_version, $0.filter_error) = (4, EACCES) },
        Row(
            "Landlock and the filter of system calls: left out of a sanitizer's build",
            ["Landlock and the filter of system calls: left out of a sanitizer's build"]
        ) { ($0.landlock_version, $0.is_sanitized) = (0, 1) },
    ]

    @Test("is put in words", arguments: rows)
    func words(row: Row) async throws {
        let fake = try FakeReader("\(FakeReader.greeting(row.change)); \(FakeReader.hang)")
        let report = try await fake.patientPool().prepare()
        #expect(report.description == row.testDescription)
        #expect(report.missing == row.missing)
        #expect(report.isComplete == row.missing.isEmpty)
    }

    @Test("has to be said before the process gets a picture")
    func unsaid() async throws {
        let fake = try FakeReader(FakeReader.hang)
        var limits = ReadLimits.default
        limits.startingTime = .milliseconds(300)
        let pool = ReaderPool(executable: fake.path, limits: limits, workers: 1)
        let error = await failure(of: pool)
        #expect(error?.code == .readerUnavailable)
        #expect(error?.message.contains("was not ready within 0.3 seconds") == true)
        #expect(pool.processIdentifiers.isEmpty)
    }

    @Test(
        "has to make sense before the process gets a picture",
        arguments: [
            ("\(FakeReader.greeting { $0.version = 1 }); \(FakeReader.hang)", "of another build"),
            ("\(FakeReader.answer(ofLength: 8)); \(FakeReader.hang)", "of another build"),
            ("exit 5", "exited with status 5 before it took a picture"),
        ]
    )
    func nonsense(commands: String, words: String) async throws {
        let fake = try FakeReader(commands)
        let pool = fake.patientPool()
        let error = await failure(of: pool)
        #expect(error?.code == .readerUnavailable)
        #expect(error?.message.contains(words) == true)
        #expect(pool.processIdentifiers.isEmpty)
    }

    @Test("does not keep a task that is cancelled")
    func cancelled() async throws {
        let fake = try FakeReader("\(FakeReader.signal); \(FakeReader.hang)")
        let pool = fake.patientPool()
        let preparing = Task { await failure(of: pool) }
        await fake.arrival()
        preparing.cancel()
        #expect(await preparing.value?.code == .cancelled)
        #expect(pool.processIdentifiers.isEmpty)
    }
}
