import Logging
import Testing

@testable import FolderWatch
@testable import LuggageService

@Suite("News of folders")
struct FolderNewsTests {
    private func folder(_ name: String, _ condition: WatchStatus.Condition) -> WatchStatus.Folder {
        WatchStatus.Folder(
            path: Array(name.utf8),
            condition: condition,
            pending: 0,
            hasMore: false
        )
    }

    private let missing = WatchStatus.Condition.absent(
        .init(code: .missing, errorNumber: 2, description: "nothing is there")
    )

    @Test("is told once for each, whatever becomes of the others")
    func once() {
        var news = FolderNews()
        var told: [String] = []
        let steps: [(WatchStatus.Condition, WatchStatus.Condition)] = [
            (.starting, .starting), (.events, .events), (missing, .events), (missing, missing),
            (missing, .starting), (missing, missing), (missing, .events), (.starting, .events),
            (missing, .events), (.events, .events),
        ]
        for (first, second) in steps {
            told += news.take([folder("a", first), folder("b", second)])
                .map { "\($0.level): \($0.words)" }
        }
        #expect(
            told == [
                "warning: a cannot be watched: nothing is there",
                "warning: b cannot be watched: nothing is there", "notice: b is watched again",
                "notice: a is watched again",
            ]
        )
        #expect(news.trouble == nil)
    }

    @Test("tells each time that a folder has become another one, and what has happened")
    func replacements() {
        var news = FolderNews()
        var told: [String] = []
        for (folders, mounts) in [(0, 0), (1, 0), (1, 0), (1, 1), (1, 1), (3, 1), (3, 1)] {
            var first = folder("a", .events)
            first.replacements = .init(folders: folders, mounts: mounts)
            told += news.take([first, folder("b", .events)]).map { "\($0.level): \($0.words)" }
        }
        let end = "the service takes pictures from the new one"
        #expect(
            told == [
                "warning: a is another folder now: it was replaced; \(end)",
                "warning: a is another folder now: something was mounted or unmounted there; \(end)",
                "warning: a is another folder now: it was replaced; \(end)",
            ]
        )
        // It is watched, whichever it is.
        #expect(news.trouble == nil)
    }

    @Test("of what is passed over is what has come since the last")
    func passedOver() {
        var news = FolderNews()
        var skipped = WatchStatus.Skipped()
        func take() -> [String] {
            var passedOver = PassedOver()
            return news.take(skipped).compactMap { passedOver.take($0.cause, $0.count) }
        }
        #expect(take() == [])
        skipped.folders = 1
        #expect(take() == ["passed over: 1 folder"])
        (skipped.folders, skipped.symbolicLinks) = (3, 1)
        #expect(take() == ["passed over: 1 symbolic link", "passed over: 2 folders"])
        #expect(take() == [])
    }
}
