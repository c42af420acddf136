import Foundation
import LuggageBoard
import LuggageTags
import Testing

/// Correcting bags on their pages.
struct CorrectingTests {
    private let path = "/bag/\(TestBoard.bag)"

    @Test func `A correction is on record with the token's name as its author`() async throws {
        let board = try TestBoard()
        try board.file(TestBoard.payload())
        let form = [
            "owner": "E/ZMU", "weight": "20 kg", "reason": "weighed again",
            "seen": try AccessTests.seen(board),
        ]
        let answer = try await board.post(path, form, as: .correct)
        #expect(answer.status == 303)
        let bag = try #require(try board.luggage())
        #expect(bag.owner?.name.description == "E/ZMU")
        #expect(abs((bag.weight ?? 0) - 44.09) < 0.01)
        let page = await board.get(path, as: .see).text
        #expect(page.contains("correct-er") && page.contains("weighed again"))
    }

    @Test(
        "What cannot be is refused, says why, and keeps what was typed",
        arguments: [
            (["weight": "50 lb"], "Say why"),
            (["reason": "x"], "Say what to correct"),
            (["weight": "50", "reason": "x"], "a number with its unit"),
            (["weight": "heavy", "reason": "x"], "a number with its unit"),
            (["weight": "5000000 lb", "reason": "x"], "not more than a bag can weigh"),
            (["weight": "2000 lb", "reason": "x"], "1000"),
            (["owner": "nobody", "reason": "x"], "an initial, a slash"),
            (["owner": "A/BCD", "nobody": "1", "reason": "x"], "and not both"),
            (["weight": "2,500 kg", "reason": "x"], "a number with its unit"),
            (["weight": "1,2,3 kg", "reason": "x"], "a number with its unit"),
            (["owner": "DD ZMU", "reason": "x"], "an initial, a slash"),
            (["weight": "42 lb", "reason": "x"], "has these values already"),
        ]
    )
    func refused(form: [String: String], sentence: String) async throws {
        let board = try TestBoard()
        try board.file(TestBoard.payload())
        var form = form
        form["seen"] = try AccessTests.seen(board)
        let answer = try await board.post(path, form, as: .correct)
        #expect(answer.status == 422)
        #expect(answer.text.contains(sentence))
        if let weight = form["weight"] { #expect(answer.text.contains("value=\"\(weight)\"")) }
        #expect(try board.luggage()?.weight == 42)
    }

    @Test(
        "Weights and names may be typed as scales and tags here write them",
        arguments: [
            ("20,5 kg", 20.5), ("20.5kg", 20.5), ("20,55kg", 20.55),
        ],
        ["E/ZMA", "E ZMA", " zma  e ", "ZMA/E"]
    )
    func spelling(weight: (text: String, kilograms: Float), owner: String) async throws {
        let board = try TestBoard()
        try board.file(TestBoard.payload())
        let form = [
            "owner": owner, "weight": weight.text, "reason": "x",
            "seen": try AccessTests.seen(board),
        ]
        #expect(try await board.post(path, form, as: .correct).status == 303)
        let bag = try #require(try board.luggage())
        #expect(abs((bag.weight ?? 0) * 0.45359237 - weight.kilograms) < 0.001)
        #expect(bag.owner?.name.description.uppercased() == "E/ZMA")
    }

    @Test func `The form says what the bag has now`() async throws {
        let board = try TestBoard()
        try board.file(TestBoard.payload())
        let page = await board.get(path, as: .correct).text
        #expect(page.contains("now D/ZMU") && page.contains("now 42.0 lb"))
    }

    @Test(
        "Of two who correct one bag at once, by one program or two, one is told that the other was quicker",
        arguments: [false, true]
    )
    func quicker(byTwo: Bool) async throws {
        let board = try TestBoard()
        let other = try byTwo ? board.other() : nil
        try board.file(TestBoard.payload())
        for round in 0..<20 {
            let seen = try AccessTests.seen(board)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for person in 0..<2 {
                    group.addTask {
                        let form = [
                            "weight": "\(100 + 2 * round + person) lb", "reason": "weighed",
                            "seen": seen,
                        ]
                        return try await board.post(
                            path,
                            form,
                            as: .correct,
                            at: person == 0 ? nil : other
                        ).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [303, 409])
        }
    }

    @Test func `A change is taken back on the bag's own page, and no other bag's`() async throws {
        let board = try TestBoard()
        let other = "9C417E05-0000-4000-8000-000000000001"
        try board.file(TestBoard.payload())
        try board.file(TestBoard.payload(other))
        let form = ["weight": "50 lb", "reason": "x", "seen": try AccessTests.seen(board)]
        _ = try await board.post(path, form, as: .correct)
        // However many other bags come in between.
        for _ in 0..<110 { try board.file(TestBoard.payload(UUID().uuidString)) }
        let page = await board.get("\(path)/changes", as: .correct).text
        let number = try #require(page.firstMatch(of: /name="change" value="(\d+)"/)).1
        let undo = ["change": String(number), "reason": "wrong bag"]
        #expect(try await board.post("/bag/\(other)/changes", undo, as: .correct).status == 400)
        #expect(try board.luggage()?.weight == 50)
        #expect(try await board.post("\(path)/changes", undo, as: .correct).status == 303)
        #expect(try board.luggage()?.weight == 42)
        let late = try await board.post("\(path)/changes", undo, as: .correct)
        #expect(late.status == 422 && late.text.contains("is taken back already"))
    }
}
