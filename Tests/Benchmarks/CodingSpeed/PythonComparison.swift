internal import Foundation
internal import Subprocess

/// Python's `msgpack`, whose coders are written in C, with the same messages; for information.
///
/// It makes plain dictionaries, not values of types.
struct PythonComparison {
    let rounds: Int

    private static let script = """
        import sys, time, msgpack
        def median(body):
            times = []
            for _ in range(ROUNDS):
                started = time.perf_counter()
                body()
                times.append(time.perf_counter() - started)
            return sorted(times)[len(times) // 2] * 1000
        message = sys.stdin.buffer.read()
        value = msgpack.unpackb(message, strict_map_key=False)
        packed = median(lambda: msgpack.packb(value))
        unpacked = median(lambda: msgpack.unpackb(message, strict_map_key=False))
        print("encode %.2f ms, decode %.2f ms" % (packed, unpacked))
        """

    func run(_ messages: [(name: String, message: Data)]) async throws {
        for (name, message) in messages {
            let script = Self.script.replacing("ROUNDS", with: String(rounds))
            let result = try? await Subprocess.run(
                .name("python3"),
                arguments: ["-c", script],
                input: .array([UInt8](message)),
                output: .string(limit: 1 << 10),
                error: .discarded
            )
            guard let result, result.terminationStatus.isSuccess else {
                print("Python's msgpack is not installed.")
                return
            }
            print("Python's msgpack, \(name): \(result.standardOutput)", terminator: "")
        }
    }
}
