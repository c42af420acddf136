import Foundation
import Testing

@Suite("The hook of luggage watch", .timeLimit(.minutes(30)))
struct WatchHookTests {
    private let workplace: Workplace

    init() throws {
        workplace = try Workplace()
    }

    private var inbox: String { workplace.path("inbox") }

    @Test("is told how its hook has ended also where whoever started it ignores how processes end")
    func ignoredEnds() async throws {
        try workplace.drop("tag-f432-dzmu.png")
        let run = try await workplace.shell(
            """
            env --ignore-signal=CHLD '\(Workplace.executable)' \
                watch --once --hook 'exit 3' '\(inbox)'
            """
        )
        #expect(run.status == 0)
        #expect(run.errors.contains("it ended with status 3"), "\(run.errors)")
    }

    @Test("tells its hook the record that it files into, whatever the environment says")
    func recordOfHook() async throws {
        try workplace.drop("tag-f432-dzmu.png")
        let hook = "here=$PWD; cd /; '\(Workplace.executable)' list --format json > $here/listed"
        let run = try await workplace.luggage(
            "watch",
            "--once",
            "--store",
            "own.sqlite",
            "--hook",
            hook,
            inbox
        )
        #expect(run.status == 0, "\(run.errors)")
        let listed = try String(contentsOfFile: workplace.path("listed"), encoding: .utf8)
        #expect(listed.contains("F432BDB8-D84F-4461-8362-AFF89F6C493E"), "\(listed)")
    }
}
