import Foundation
import SeededRandom
import Testing

@testable import LuggageTags

@Suite("A report as text")
struct ReportTextTests {
    static let seconds: [Double] = [
        0, -1, 0.001, 0.9996, 951_782_399, 951_782_400, 4_107_542_399.5, 978_307_199.9999, 1e9,
        1e11,
        -1e12, 1_782_892_800.123, 29_378_307_200,
    ]

    @Test("has times as the encoder writes them", arguments: seconds)
    func times(seconds: Double) {
        expectSame(Date(timeIntervalSince1970: seconds))
    }

    @Test("has any time as the encoder writes it", arguments: [1, 2, 3] as [UInt64])
    func randomTimes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            let seconds = random.number(in: -1e9...3e10)
            expectSame(
                Date(
                    timeIntervalSince1970: random.number(below: 2) == 0
                        ? seconds : seconds.rounded()
                )
            )
        }
    }

    private func expectSame(_ date: Date) {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        #expect(date.reportText == date.formatted(style), "\(date.timeIntervalSince1970)")
    }

    static let names = [
        nil, "ZMU", "MÜL", "\"\\/", "\u{0}\u{1F}\u{8}\t\n\u{C}\r", "\u{7F}\u{2028}", "👩‍👩‍👧", "</a>",
    ]
    static let weights: [Float?] = [
        nil, 0, -0.0, 42, 0.1, 31.5, 19.05, 1e-7, 1e20, .infinity, .nan, -3, 999_999.9, 16_777_216,
        50.706318, 0.001,
    ]

    @Test("is as the encoder writes it", arguments: names, weights)
    func reports(name: String?, weight: Float?) throws {
        let report = LuggageReport(
            id: UUID(),
            owner: name.map { PassengerReport(PassengerName(givenName: $0, familyName: $0)) },
            weight: weight,
            departedAt: name == nil ? nil : Date(timeIntervalSince1970: 1_782_892_800.123),
            arrivedAt: weight == 42 ? Date(timeIntervalSince1970: 5) : nil
        )
        let encoded = try JSONEncoder.forReports().encode(report)
        #expect(
            try String(decoding: report.jsonText(), as: UTF8.self)
                == String(decoding: encoded, as: UTF8.self)
        )
    }
}
