import Foundation
import LuggageTags
import Testing

@Suite("Of a wrong payload")
struct WrongPayloadTests {
    @Test("a person is told what is wrong, where and how", arguments: WrongPayload.all, Format.all)
    func sentence(wrong: WrongPayload, format: Format) async throws {
        guard wrong.canBeSaid(in: format.format) else { return }
        let error = try #require(await refusal(format.format.payload(json: wrong.json)))
        #expect(error.message == wrong.sentence)
        #expect(error.code == wrong.code)
        #expect(error.codingPath == wrong.path)
        #expect(error.stage == (wrong.code == .outOfRange ? .domain : .typed))
        #expect(error.outcome == .invalid)
    }

    @Test("a person is told in a bearable number of words")
    func length() async throws {
        let name = String(repeating: "e" + String(repeating: "\u{301}", count: 2000), count: 9)
        for names in [["D", name], [name, "ZMU"]] {
            let error = try #require(await refusal(Array(payload(owner: names).utf8)))
            #expect(error.message.utf8.count < 1100)
            #expect(error.found?.utf8.count ?? 0 < 200)
        }
    }

    @Test("a report has the same as the library's caller, in parts")
    func report() async throws {
        let payload = #"{"id":"F432BDB8-D84F-4461-8362-AFF89F6C493E","weight":"heavy"}"#
        try await TestStore.memory.withRecord { container in
            let reports = try ScanRecorder(container: container).record(.of(payload))
            let problem = try #require(reports.first?.error)
            let error = try #require(await refusal(Array(payload.utf8)))
            #expect(problem == Problem(error))
            let json = try JSONEncoder.forReports().encode(problem)
            #expect(
                String(decoding: json, as: UTF8.self) == #"""
                    {"expected":"a number","found":"the text \"heavy\"",\#
                    "message":"weight: expected a number, found the text \"heavy\"",\#
                    "path":["weight"],"reason":"type-mismatch","stage":"typed"}
                    """#
            )
        }
    }
}
