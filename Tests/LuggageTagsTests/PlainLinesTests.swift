import Foundation
import SeededRandom
import Testing

@testable import LuggageTags

@Suite("What is read without a decoder")
struct PlainLinesTests {
    private static let id = "F432BDB8-D84F-4461-8362-AFF89F6C493E"

    /// A decoder reads it, whatever the shorter way makes of it.
    private func decoded(_ line: [UInt8]) -> ExchangeRecord? {
        guard (try? JSONFormat().check(line)) != nil else { return nil }
        return try? JSONFormat().decode(
            ExchangeRecord.self,
            from: line,
            userInfo: [.dateForm: DateForm.text]
        )
    }

    private func contents(_ payload: [UInt8]) -> TagContents? {
        guard (try? JSONFormat().check(payload)) != nil else { return nil }
        return try? JSONFormat().decode(TagContents.self, from: payload, userInfo: [:])
    }

    private static let scan =
        #"{"author":"ann\"a","bag":"\#(id)","filedAt":"2026-07-01T08:00:00.25Z","id":"\#(secondID)","#
        + #""imageDigest":"ab","imageName":"a \\ \u00e9.png","outcome":"new","#
        + #""payload":"{ \"id\": \"\#(id)\", \"owner\": [\"D\", \"ZMÜ\"], \"weight\": 42.5 }","#
        + #""point":"gate","record":"scan","role":"arriving","#
        + #""scannedAt":"2026-07-01T07:59:59.999Z","station":"MUC 1"}"#

    @Test("a scan is read as the decoder reads it, however it is broken")
    func scans() throws {
        let line = Array(Self.scan.replacing("\\u00e9", with: "é").utf8)
        let plain = try #require(ScanRecord(plain: line))
        #expect(decoded(line) == .scan(plain))
        // What is escaped by a number is left to the decoder.
        #expect(ScanRecord(plain: Array(Self.scan.utf8)) == nil)
        var (random, read) = (SeededGenerator(seed: 1), 0)
        for _ in 0..<20_000 {
            var broken = line
            for _ in 0...random.number(below: 2) {
                let place = random.number(below: broken.count)
                switch random.number(below: 4) {
                case 0: broken.remove(at: place)
                case 1: broken.insert(broken[random.number(below: broken.count)], at: place)
                case 2: broken[place] = UInt8(random.number(below: 256))
                default: broken[place] = Array("\"\\{}[],: 0Z".utf8)[random.number(below: 11)]
                }
            }
            guard let scan = ScanRecord(plain: broken) else { continue }
            read += 1
            #expect(decoded(broken) == .scan(scan), "\(String(decoding: broken, as: UTF8.self))")
        }
        #expect(read > 1000)
    }

    @Test(
        "a tag is read as the decoder reads it, or not at all",
        arguments: [
            payload(), payload(owner: nil), payload(weight: nil), payload(owner: ["D"]),
            payload(owner: ["D", "ZMU", "X"]), payload(weight: "1e3"), payload(weight: "-0"),
            payload(weight: "0.1"), payload(weight: "01"), payload(weight: ".5"),
            payload(weight: "123456789012345678901"), payload(weight: "\"19 kg\""),
            payload(weight: "16777217"), payload(weight: "-5.25"), payload(weight: "5."),
            payload(owner: ["E\u{301}", "\u{F9E1}"]), payload("\(id.dropLast())"), "{}", "{", "",
            #"{"id":"\#(id)","id":"\#(id)"}"#, #"{"id":"\#(id)","Id":"\#(secondID)"}"#,
            #"{"id":"\#(id)","other":1}"#, #"{"id":"\#(id)"} "#, #" {"id":"\#(id)"}"#,
            #"{"id":"\#(id)","owner":["D","ZMU"],}"#, #"{"id":"\#(id)","owner":[]}"#,
        ]
    )
    func tags(payload: String) {
        let bytes = Array(payload.utf8)
        guard let plain = TagContents(plain: bytes) else { return }
        #expect(contents(bytes) == plain)
        #expect(plain.weight?.sign != .minus || plain.weight == -5.25)
    }

    @Test("tags as these programs write them are read so")
    func isUsed() {
        for text in [payload(), payload(owner: nil).replacing("\"owner\": null, ", with: "")] {
            #expect(TagContents(plain: Array(text.utf8)) != nil)
        }
    }

    @Test("days have the dates that calendars give them, and no other text is one")
    func days() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        for number in stride(from: -141_427, to: 2_932_896, by: 997) {
            let day = CalendarDay(number: number)
            let date = Date(timeIntervalSince1970: Double(number) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            #expect(parts.year == day.year && parts.month == day.month && parts.day == day.day)
            let again = CalendarDay(year: day.year, month: day.month, day: day.day)
            #expect(again?.number == number)
        }
        #expect(CalendarDay(number: -719_162).description == "0001-01-01")
        #expect(CalendarDay(number: 2_932_896).description == "9999-12-31")
        for (year, month, day) in [
            (2026, 2, 29), (1900, 2, 29), (2026, 4, 31), (2026, 13, 1), (2026, 0, 1),
            (2026, 1, 0), (2026, 1, 32), (0, 1, 1),
        ] { #expect(CalendarDay(year: year, month: month, day: day) == nil) }
        #expect(CalendarDay(year: 2000, month: 2, day: 29) != nil)
    }
}
