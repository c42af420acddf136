import Dispatch
import Foundation
import TestFolders
import Testing

@testable import LuggageService

@Suite("The service manager")
struct ServiceNotifierTests {
    private static let fixed: [(message: ServiceNotifier.Message, text: String)] = [
        (.ready, "READY=1"), (.stopping, "STOPPING=1"), (.alive, "WATCHDOG=1"),
        (.failed(28), "ERRNO=28"), (.status("12 pictures wait"), "STATUS=12 pictures wait"),
        (.status("a\nREADY=1\u{1B}"), #"STATUS=a\nREADY=1\u{1b}"#),
        (.extendTimeout(.milliseconds(1500)), "EXTEND_TIMEOUT_USEC=1500000"),
        (.extendTimeout(.seconds(-1)), "EXTEND_TIMEOUT_USEC=0"),
        (.extendTimeout(.seconds(Int64.max)), "EXTEND_TIMEOUT_USEC=31536000000000"),
    ]

    @Test("is told in its own words, at a path or an abstract name", arguments: fixed)
    func messages(fixed: (message: ServiceNotifier.Message, text: String)) throws {
        let scratch = try TemporaryFolder()
        for address in [scratch.path("notify"), "@luggage-\(UUID().uuidString)"] {
            let receiver = try DatagramReceiver(at: address)
            let notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": address])
            #expect(notifier.send(fixed.message))
            #expect(receiver.nextText() == fixed.text)
            #expect(notifier.send(.ready, fixed.message))
            #expect(receiver.nextText() == "READY=1\n\(fixed.text)")
            #expect(receiver.next() == nil)
        }
    }

    @Test("is told when a reload begins, by the monotonic clock")
    func reloading() throws {
        let scratch = try TemporaryFolder()
        let receiver = try DatagramReceiver(at: scratch.path("notify"))
        let notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": scratch.path("notify")])
        let before = DispatchTime.now().uptimeNanoseconds / 1000
        #expect(notifier.send(.reloading))
        let after = DispatchTime.now().uptimeNanoseconds / 1000
        let lines = try #require(receiver.nextText()).split(separator: "\n")
        #expect(lines.first == "RELOADING=1")
        let last = try #require(lines.last)
        #expect(last.hasPrefix("MONOTONIC_USEC="))
        let value = try #require(UInt64(last.dropFirst("MONOTONIC_USEC=".count)))
        #expect((before...after).contains(value))
    }

    @Test(
        "that does not listen is no matter",
        arguments: [
            nil, "", "@", "/", "relative", "vsock:2:1", "/nonexistent/notify", "/etc/passwd",
            "/\(String(repeating: "x", count: 200))", "@\(String(repeating: "x", count: 200))",
            "/a\0b",
        ]
    )
    func absence(address: String?) {
        let environment = address.map { ["NOTIFY_SOCKET": $0] } ?? [:]
        #expect(!ServiceNotifier(environment: environment).send(.ready))
    }

    @Test("that has gone, or takes nothing, is no matter")
    func goneAndDeaf() throws {
        let scratch = try TemporaryFolder()
        let address = scratch.path("notify")
        var receiver: DatagramReceiver? = try DatagramReceiver(at: address)
        let notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": address])
        #expect(notifier.send(.ready))
        #expect(receiver?.nextText() == "READY=1")
        receiver = nil
        #expect(!notifier.send(.ready))
    }

    private static let own = "\(getpid())"

    @Test(
        "says how often it wants to hear of the service",
        arguments: [
            (["WATCHDOG_USEC": "30000000"], .seconds(30)),
            (["WATCHDOG_USEC": "500000", "WATCHDOG_PID": own], .milliseconds(500)),
            (["WATCHDOG_USEC": "500000", "WATCHDOG_PID": "1"], nil),
            (["WATCHDOG_USEC": "500000", "WATCHDOG_PID": "x"], nil), (["WATCHDOG_USEC": "0"], nil),
            (["WATCHDOG_USEC": "-1"], nil), (["WATCHDOG_USEC": "soon"], nil),
            (["WATCHDOG_USEC": "99999999999999999999999"], nil),
            (["WATCHDOG_USEC": "9223372036854775807"], nil), (["WATCHDOG_PID": own], nil),
            ([:], nil),
        ] as [([String: String], Duration?)]
    )
    func interval(environment: [String: String], interval: Duration?) {
        #expect(ServiceNotifier(environment: environment).watchdogInterval == interval)
    }
}
