import Foundation
import LuggageTags
import ObjectStore
import SQLiteStore
import SystemSupport
import TestBoards
import TestFolders
import TestNetworks
import TestProcesses
import TestThreads
import Testing

/// The board in a real Chromium; without one, nothing here is tested, and the log says so.
@Suite(
    .enabled(if: RunningBoard.isWanted, "BOARD_TESTS=1 has the board run"),
    .enabled("Debian's chromium and chromium-driver are installed") { Browser.isThere },
    .serialized,
    .timeLimit(.minutes(20))
)
@WaitingTests
struct BrowserTests {
    /// Opens the first page on the samples, when all of them are filed.
    private static func begin() throws -> (RunningBoard, Browser) {
        let board = try RunningBoard()
        let browser = try Browser()
        try browser.show(width: 1280, height: 900)
        try browser.open("\(board.address)/enter?token=\(board.token)")
        try browser.wait(
            until: "document.querySelector('.figure.count strong')?.innerText === '11'"
        )
        return (board, browser)
    }

    private static let pages = ["/", "/search?for=D%2FZMU", "/failed", "/hand-in", "/report"]

    @Test(
        "Every page fits, without errors, at three sizes, light and dark",
        arguments: [false, true]
    )
    func sizes(isDark: Bool) throws {
        let (board, browser) = try Self.begin()
        let link =
            try browser.run("return document.querySelector('#missing a.bag').href") as? String
        let bag = try #require(
            link?.firstRange(of: "/bag/").map { String(link?[$0.lowerBound...] ?? "") }
        )
        let failed = try Self.failedPicture(browser, board)
        let others = ["\(bag)/changes", "/alarms", "/search?missing=1"]
        let axe = try Self.axe()
        if axe == nil {
            print("axe-core is not here: whether all can use the pages is not checked")
        }
        _ = try browser.complaints()
        for (width, height) in [
            (360, 760), (1280, 900), (1366, 768), (1920, 1080), (3840, 2160),
        ] {
            try browser.show(width: width, height: height, isDark: isDark)
            for page in Self.pages + [bag, failed] + (width == 1280 ? others : []) {
                try browser.open("\(board.address)\(page)")
                // Whatever is wider than the window must be scrolled to, which nobody does on a wall.
                let overflow = try browser.run(
                    "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
                )
                #expect(overflow as? Int == 0, "\(page) at \(width)")
                if page == "/", width > 1280 {
                    let below = try browser.run(
                        "return Math.ceil(document.querySelector('main').getBoundingClientRect().bottom) - innerHeight"
                    )
                    #expect((below as? Int ?? 999) <= 2, "the wall is scrolled at \(width)")
                }
                #expect(try browser.run(Self.wall) as? [String] == [], "\(page) at \(width)")
                if let axe, Self.sizesForAxe.contains(width) {
                    try browser.run(axe)
                    let faults = try browser.run(Self.accessibility) as? [String]
                    #expect(faults == [], "\(page) at \(width)")
                }
                try browser.wait(
                    until:
                        "[...document.images].every((image) => image.complete || image.loading === 'lazy')"
                )
                try Self.keep(browser.picture(), page, width, isDark)
                // A picture that cannot be shown is said to be gone, and is no fault of the page.
                let complaints = try browser.complaints().filter {
                    !$0.contains("/thumb") && !$0.contains("/picture")
                }
                #expect(complaints == [], "\(page) at \(width)")
            }
        }
    }

    private static let sizesForAxe = [360, 1280, 3840]

    /// axe-core, which `pip install --no-deps axe-playwright-python` brings; nil without it.
    private static func axe() throws -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let module = "__import__('axe_playwright_python').__path__[0]"
        let process = try LastingProcess([
            "env", "PATH=\(path)", "python3", "-c", "print(\(module) + '/axe.min.js')",
        ])
        guard process.waitForEnd() == .exited(0) else { return nil }
        return try String(contentsOfFile: process.log.trimmed, encoding: .utf8)
    }

    /// What WCAG 2.2 and good practice ask for, as far as axe-core can see it.
    private static let accessibility = """
        const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
        return axe.run(document, { runOnly: tags, resultTypes: ["violations"] }).then((found) =>
          found.violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.html}`)));
        """

    private static func failedPicture(_ browser: Browser, _ board: RunningBoard) throws -> String {
        try browser.open("\(board.address)/failed")
        let link = try browser.run(
            "return document.querySelector('.pictures a').getAttribute('href')"
        )
        return try #require(link as? String)
    }

    /// Keeps a picture of a page for the guide and for people, if a folder is named.
    private static func keep(_ picture: Data, _ page: String, _ width: Int, _ isDark: Bool) throws {
        guard let folder = ProcessInfo.processInfo.environment["BOARD_PICTURES"] else { return }
        let part = page.split { "/?".contains($0) }.first.map(String.init) ?? "now"
        let others = [("/failed/", "one-failed"), ("/changes", "changes"), ("missing", "missing")]
        let shown = others.first { page.contains($0.0) }?.1 ?? part
        let name = "\(shown)-\(width)\(isDark ? "-dark" : "").png"
        try picture.write(to: URL(filePath: "\(folder)/\(name)"))
    }

    /// What axe-core cannot know: what no key may lead to, and what must be readable from 3 m.
    private static let wall = #"""
        const faults = [];
        for (const link of document.querySelectorAll(".now .scans a")) {
          const [list, scan] = [link.closest("ol").getBoundingClientRect(), link.closest("li")];
          const isSeen = link.getBoundingClientRect().right <= list.right && scan.getBoundingClientRect().bottom <= list.bottom + 1;
          if (isSeen === scan.inert) faults.push(`${isSeen ? "shown and out of reach" : "hidden and in reach"}: ${link.innerText}`);
        }
        if (document.body.classList.contains("now") && innerWidth >= 2400) {
          // 16 minutes of arc from 3 m, on a wall of 1.2 m: capitals are 0.7 of a letter's size.
          for (const text of document.querySelectorAll(".bags tbody :is(a, bdi, time, .state), .scans .what")) {
            const height = 0.72 * parseFloat(getComputedStyle(text).fontSize) * 1200 / innerWidth;
            if (height < 0.0046542 * 3000 * 0.97) faults.push(`${height.toFixed(1)} mm: ${text.innerText}`);
          }
        }
        return faults;
        """#

    @Test func `A picture that is handed in is on record with its bag, and the page says so`()
        throws
    {
        let (board, browser) = try Self.begin()
        try browser.open("\(board.address)/hand-in")
        try browser.click("input[value=destination]")
        try browser.type("\(RunningBoard.samples)/tag-f432-dzmu.png", into: "input[type=file]")
        let start = SuspendingClock.now
        try browser.click(".hand-in button")
        try browser.wait(until: "document.querySelector('.handed a.bag')?.innerText === 'F432BDB8'")
        print("handed in, and on record with its bag: \(SuspendingClock.now - start)")
        #expect(try browser.text(of: ".handed .good").hasPrefix("Updated"))
    }

    @Test func `A form that cannot be sent says so, and can be sent again`() throws {
        let (board, browser) = try Self.begin()
        try browser.open("\(board.address)/hand-in")
        try browser.click("input[value=destination]")
        try browser.type(
            "\(RunningBoard.samples)/tag-f432-dzmu.png",
            into: "input[type=file][multiple]"
        )
        #expect(try browser.text(of: ".cut") == "")
        try browser.setOffline(true)
        try browser.click(".hand-in button")
        try browser.wait(
            until: "document.querySelector('.cut').innerText.includes('connection was lost')"
        )
        try browser.setOffline(false)
        try browser.click(".hand-in button")
        try browser.wait(until: "document.querySelector('.handed a.bag')?.innerText === 'F432BDB8'")
    }

    @Test func `Somebody corrects a bag without a script`() throws {
        let (board, browser) = try Self.begin()
        try browser.tool("Emulation.setScriptExecutionDisabled", ["value": true])
        try browser.open("\(board.address)/search?for=F432")
        try browser.click("a.bag")
        try browser.type("50 lb", into: "input[name=weight]")
        try browser.type("weighed again", into: "input[name=reason]")
        try browser.click("#correct button")
        // Without a script the driver does not know that another page is on its way.
        try browser.wait(until: "document.querySelector('.facts')?.innerText.includes('50.0 lb')")
        #expect(try browser.text(of: "#corrections").contains("weighed again"))
        #expect(try browser.text(of: "header").contains("Now"))
    }

    @Test func `A tag is typed by hand from its picture`() throws {
        let (board, browser) = try Self.begin()
        try browser.open("\(board.address)/failed")
        let count =
            try browser.run("return document.querySelectorAll('.pictures li').length") as? Int
        #expect(count == 3)
        try browser.click(".pictures a")
        try browser.type("3FD1586C-E240-4977-B60A-C92E147D85F3", into: "input[name=identifier]")
        try browser.type("99.5 lb", into: "input[name=weight]")
        try browser.click("#type button")
        try browser.wait(until: "document.querySelector('h1 .bag')?.innerText === '3FD1586C'")
        #expect(try browser.text(of: "#history").contains("typed by hand"))
        try browser.open("\(board.address)/failed")
        #expect(
            try browser.run("return document.querySelectorAll('.pictures li').length") as? Int == 2
        )
    }

    @Test func `News come by themselves, and after a line that was cut, all of them once`() throws {
        let board = try RunningBoard()
        let line = try TestRelay(to: Int(board.port))
        let browser = try Browser()
        try browser.open("http://127.0.0.1:\(line.port)/enter?token=\(board.token)")
        func has(_ scans: Int) -> String {
            "document.querySelector('.figure.count strong')?.innerText === '\(scans)'"
        }
        try browser.wait(until: has(11))
        let isLive = "document.querySelector('.line').innerText === 'Live'"
        try browser.wait(until: isLive)
        try browser.run(Self.noting)
        let inbox = try Self.inbox(board)
        func drop(_ sample: String) throws {
            try FileManager.default.copyItem(
                atPath: "\(RunningBoard.samples)/\(sample)",
                toPath: "\(inbox)/destination/\(sample)"
            )
        }
        try drop("tag-f432-dzmu.png")
        try browser.wait(until: has(12))
        for (cut, sample) in ["tag-9c41-dzmu.png", "tag-77d0-accents.png"].enumerated() {
            line.refuses = true
            line.cut()
            try browser.wait(until: "document.querySelector('.line').classList.contains('cut')")
            try drop(sample)
            try Self.waitUntil(board, has: 13 + cut)
            try browser.run("told.length = 0")
            line.refuses = false
            try browser.wait(until: has(13 + cut))
            try browser.wait(until: isLive)
            // Sections come in one piece: none that has changed is left out, and none comes twice.
            let told = try #require(try browser.run("return told") as? [String])
            #expect(told.contains("figures") && told.contains("scans"))
            #expect(Set(told).count == told.count, "\(told)")
            let differences = try browser.run(Self.differences) as? [String]
            #expect(differences == [])
        }
    }

    /// Has a page note which of its sections are told anew.
    private static let noting = """
        window.told = [];
        const note = (changes) => { for (const change of changes) told.push(change.target.id); };
        for (const section of document.querySelectorAll("main > section")) {
          new MutationObserver(note).observe(section, { childList: true });
        }
        """

    /// The sections that say something else on a new page, apart from how times are written.
    private static let differences = """
        const request = new XMLHttpRequest();
        request.open("GET", "/", false);
        request.send();
        const text = (page, id) => {
          const section = page.getElementById(id).cloneNode(true);
          for (const time of section.querySelectorAll("time")) time.textContent = time.dateTime;
          // News leave out lines on which nothing stands.
          return section.textContent.replace(/\\s+/g, " ").trim();
        };
        const fresh = new DOMParser().parseFromString(request.responseText, "text/html");
        return [...document.querySelectorAll("main > section")].map((section) => section.id)
          .filter((id) => text(document, id) !== text(fresh, id));
        """

    private static func inbox(_ board: RunningBoard) throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: board.folder.path)
        let name = try #require(names.first { $0.hasPrefix("luggage-board-") })
        return "\(board.folder.path)/\(name)/inbox"
    }

    /// Waits until so many scans are on record.
    private static func waitUntil(_ board: RunningBoard, has count: Int) throws {
        for _ in 0..<1000 {
            if try board.get("/").contains("<dd><strong>\(count)</strong></dd>") { return }
            usleep(50_000)
        }
        Issue.record("never \(count) scans")
    }
}
