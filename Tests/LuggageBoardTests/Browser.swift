import Foundation
import SystemSupport
import TestBoards
import TestFolders
import TestProcesses

/// A real Chromium, by way of chromedriver and the protocol WebDriver.
final class Browser: Sendable {
    private let driver: LastingProcess
    private let port: UInt16
    private let session: String
    private let folder: TemporaryFolder

    static let programs = ["chromedriver", "chromium"].map { "/usr/bin/\($0)" }

    /// Whether there is one here.
    static var isThere: Bool {
        programs.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
    }

    struct Refused: Error, CustomStringConvertible {
        let description: String
    }

    init() throws {
        folder = try TemporaryFolder()
        driver = try LastingProcess(
            ["env", "HOME=\(folder.path)", "TMPDIR=\(folder.path)", Self.programs[0], "--port=0"]
        )
        guard driver.waitForLine(containing: ["started successfully on port"]),
            let match = driver.log.firstMatch(of: /successfully on port (\d+)/),
            let port = UInt16(match.1)
        else { throw Refused(description: driver.log) }
        self.port = port
        let options: [String: Any] = [
            "binary": Self.programs[1],
            "args": [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--force-color-profile=srgb", "--hide-scrollbars", "--lang=en",
            ],
        ]
        let always: [String: Any] = [
            "goog:chromeOptions": options, "goog:loggingPrefs": ["browser": "ALL"],
        ]
        let wanted = ["capabilities": ["alwaysMatch": always]]
        let value = try Self.ask(port, "POST", "/session", wanted)
        guard let session = (value as? [String: Any])?["sessionId"] as? String else {
            throw Refused(description: "\(value)")
        }
        self.session = session
    }

    deinit {
        _ = try? Self.ask(port, "DELETE", "/session/\(session)", nil)
    }

    /// Whether an answer has as many bytes as its head says.
    private static func isWhole(_ answer: [UInt8]) -> Bool {
        guard let end = answer.firstRange(of: Array("\r\n\r\n".utf8)) else { return false }
        let head = String(decoding: answer[..<end.lowerBound], as: UTF8.self)
        let length = head.firstMatch(of: /(?i)content-length: *(\d+)/).flatMap { Int($0.1) }
        return answer.count - end.upperBound >= length ?? .max
    }

    private static func ask(
        _ port: UInt16,
        _ method: String,
        _ path: String,
        _ body: [String: Any]?
    ) throws -> Any {
        let bytes = try body.map { try Array(JSONSerialization.data(withJSONObject: $0)) } ?? []
        let head =
            "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(bytes.count)\r\n\r\n"
        // It says that it closes, and does not.
        let answer = try Loopback.answer(Array(head.utf8) + bytes, from: port, isWhole: isWhole)
        guard let end = answer.firstRange(of: Array("\r\n\r\n".utf8)),
            let object = try? JSONSerialization.jsonObject(with: Data(answer[end.upperBound...])),
            let value = (object as? [String: Any])?["value"]
        else { throw Refused(description: String(decoding: answer.prefix(500), as: UTF8.self)) }
        if let error = value as? [String: Any], let message = error["message"] as? String,
            error["error"] != nil
        {
            throw Refused(description: message)
        }
        return value
    }

    @discardableResult
    private func ask(_ path: String, _ body: [String: Any]) throws -> Any {
        try Self.ask(port, "POST", "/session/\(session)\(path)", body)
    }

    // MARK: Doing what people do

    func open(_ address: String) throws { try ask("/url", ["url": address]) }

    /// What a script of the test finds.
    @discardableResult
    func run(_ script: String) throws -> Any {
        try ask("/execute/sync", ["script": script, "args": [Any]()])
    }

    /// What the browser has complained of since it was last asked.
    func complaints() throws -> [String] {
        let entries = try ask("/se/log", ["type": "browser"]) as? [[String: Any]] ?? []
        return entries.filter { $0["level"] as? String == "SEVERE" }
            .compactMap { $0["message"] as? String }
    }

    func text(of selector: String) throws -> String {
        try run("return document.querySelector('\(selector)')?.innerText ?? ''") as? String ?? ""
    }

    /// Waits until a script finds that something is so.
    func wait(until script: String) throws {
        let limit = SuspendingClock.now + .seconds(120)
        while try run("return !!(\(script))") as? Bool != true {
            if SuspendingClock.now > limit {
                throw Refused(description: "never: \(script): \(try text(of: "body"))")
            }
            usleep(20_000)
        }
    }

    private func element(_ selector: String) throws -> String {
        let value = try ask("/element", ["using": "css selector", "value": selector])
        guard let element = (value as? [String: Any])?.values.first as? String else {
            throw Refused(description: "\(value)")
        }
        return element
    }

    func type(_ text: String, into selector: String) throws {
        try ask("/element/\(try element(selector))/value", ["text": text])
    }

    func click(_ selector: String) throws {
        try ask("/element/\(try element(selector))/click", [:])
    }

    /// Has the browser's own tools do something.
    @discardableResult
    func tool(_ command: String, _ parameters: [String: Any] = [:]) throws -> Any {
        try ask("/goog/cdp/execute", ["cmd": command, "params": parameters])
    }

    func show(width: Int, height: Int, isDark: Bool = false) throws {
        try tool(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false]
        )
        try tool(
            "Emulation.setEmulatedMedia",
            ["features": [["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]]]
        )
    }

    /// The whole page as a PNG file.
    func picture() throws -> Data {
        let value = try tool("Page.captureScreenshot", ["captureBeyondViewport": true])
        let text = (value as? [String: Any])?["data"] as? String ?? ""
        return Data(base64Encoded: text) ?? Data()
    }

    func setOffline(_ isOffline: Bool) throws {
        try tool("Network.enable")
        try tool(
            "Network.emulateNetworkConditions",
            ["offline": isOffline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1]
        )
    }
}
