import Foundation
import ObjectStore
import Testing

@testable import LuggageTags

@Suite("A message about baggage")
struct BaggageMessageTests {
    // Published by Avinor for users of its message bus.
    static let osl = """
        BSM
        .V/1LOSL
        .F/SK4416/05FEB/TOS/C
        .N/0117814872001
        .S/N/05A/C/051/051//N/I
        .W/P/1
        .P/XXXXXXXX/XXXXXXX
        .E/PRIO
        ENDBSM
        """
    static let zrh = """
        QN ZRHBBXH
        .ZRHDCXH 181200
        \u{2}BSM
        .V/1TZRH//6543210014/A/123ABC456Z
        .F/SR101/18APR/JFK/F
        .I/AZ318/18 APR/FCO/J
        .O/AA0034A/19APR/SFO/F
        .N/0085123456003
        .N/0085123466001
        .S/Y/3A/C
        .W/K/4/80
        .P/2SMITH/TOMMR/JANEMRS
        .L/XY1C3P
        .T/321A4C
        .E/RUSH
        .R/VIP
        .X/XRAY
        ENDBSM\u{3}
        """.replacingOccurrences(of: "\n", with: "\r\n")
    static let changed =
        "BSM\nCHG\n.V/1LZRH////123ABC456Z\n.F/SR101/18APR/JFK/C\n.N/0085123457001\n.S/N\nENDBSM\n"
    static let deleted = "BSM\rDEL\r.V/1LZRH\r.F/SR101/18APR\r.N/0085123457001\rENDBSM"
    static let vectors = [osl, zrh, changed, deleted, osl + "\n" + deleted + "\n\n" + changed]

    private static func message(_ text: String) throws -> BaggageSourceMessage {
        let messages = BaggageSourceMessage.messages(in: Array(text.utf8))
        try #require(messages.count == 1)
        return try messages[0].get()
    }

    private static let now = Date(timeIntervalSince1970: 1_770_000_000)

    @Test("tells which bag a flight expects")
    func reading() throws {
        let message = try Self.message(Self.osl)
        #expect(message.change == .add)
        #expect(message.airport == "OSL" && message.source == .local)
        #expect(
            message.flight == MessageFlight(name: "SK4416", month: 2, day: 5, airport: "TOS")
        )
        #expect(message.plates.map(\.description) == ["0117814872"])
        #expect(message.mayBeLoaded == false)
        #expect(message.pieces == 1 && message.weight == nil)
        #expect(message.owner?.description == "X/XXX")
        let identifier = message.plates[0].identifier.uuidString
        #expect(
            try message.tags(readAt: Self.now).map { String(decoding: $0, as: UTF8.self) } == [
                #"{"date":"2026-02-05","from":"OSL","id":"\#(identifier)","owner":["X","XXX"],"#
                    + #""to":"TOS","trip":"SK4416"}"#
            ]
        )
    }

    @Test("tells of a transfer with several flights, bags and passengers")
    func transfer() throws {
        let message = try Self.message(Self.zrh)
        #expect(message.source == .transfer)
        #expect(message.inbound?.name == "AZ318" && message.inbound?.day == 18)
        #expect(message.onward.map(\.name) == ["AA34A"])
        #expect(
            message.plates.map(\.description)
                == ["0085123456", "0085123457", "0085123458", "0085123466"]
        )
        #expect(message.mayBeLoaded == true)
        #expect(message.pieces == 4)
        #expect(abs((message.weight ?? 0) - 176.37) < 0.01)
        #expect(message.owner?.description == "T/SMI")
        let tags = try message.tags(readAt: Self.now)
        #expect(tags.count == 4)
        for (tag, plate) in zip(tags, message.plates) {
            let contents = try TagDecoder().contents(of: tag)
            #expect(contents.identifier == plate.identifier)
            // Nobody knows how heavy each of the four is.
            #expect(contents.weight == nil)
            #expect(String(decoding: tag, as: UTF8.self).contains(#""to":"SFO""#))
        }
    }

    @Test("may change or take back what another has told")
    func changes() throws {
        #expect(try Self.message(Self.changed).change == .replace)
        let deleted = try Self.message(Self.deleted)
        #expect(deleted.change == .remove)
        #expect(deleted.flight?.airport == nil && deleted.owner == nil)
        let all = BaggageSourceMessage.messages(in: Array(Self.vectors[4].utf8))
        #expect(try all.map { try $0.get().change } == [.add, .remove, .replace])
    }

    @Test("tells the weight of a single bag")
    func weight() throws {
        let text = Self.osl.replacingOccurrences(of: ".W/P/1", with: ".W/L/1/42")
        let tag = try #require(try Self.message(text).tags(readAt: Self.now).first)
        #expect(try TagDecoder().contents(of: tag).weight == 42)
    }

    @Test(
        "that is malformed is refused, with line and reason, and spoils no other",
        arguments: [
            (".V/1LOSL", "", 1, "the message has no .V with its airport"),
            (
                ".V/1LOSL", ".V/2LOSL", 2,
                "version 1, a letter and an airport are expected, as 1LOSL"
            ),
            (
                ".V/1LOSL", ".V/1ZOSL", 2,
                "version 1, a letter and an airport are expected, as 1LOSL"
            ),
            (".V/1LOSL", ".V/1LOS", 2, "version 1, a letter and an airport are expected, as 1LOSL"),
            (".V/1LOSL", ".V/1LOSL\n.V/1LOSL", 3, ".V is there twice"),
            ("SK4416", "S", 3, "a flight such as SK4416 is expected"),
            ("SK4416", "SK", 3, "a flight such as SK4416 is expected"),
            ("SK4416", "SK44165", 3, "a flight such as SK4416 is expected"),
            ("SK4416", "SK0000", 3, "a flight such as SK4416 is expected"),
            ("SK4416", "12345", 3, "a flight such as SK4416 is expected"),
            ("05FEB", "30FEB", 3, "a day such as 05FEB is expected"),
            ("05FEB", "5FEB", 3, "a day such as 05FEB is expected"),
            ("05FEB", "05Feb", 3, "a day such as 05FEB is expected"),
            ("05FEB", "", 3, "a day such as 05FEB is expected"),
            ("TOS", "TO", 3, "the three letters of an airport are expected"),
            (".N/0117814872001", "", 1, "the message names no bag"),
            (
                "0117814872001", "0117814872", 4,
                "a licence plate of ten digits and a number of bags in three are expected"
            ),
            (
                "0117814872001", "0117814872000", 4,
                "a licence plate of ten digits and a number of bags in three are expected"
            ),
            (
                "0117814872001", "0117999999002", 4,
                "a licence plate of ten digits and a number of bags in three are expected"
            ),
            ("0117814872001", "0000000000001", 4, "ten zeros are no licence plate"),
            (
                ".N/0117814872001", ".N/0117000000999\n.N/0118000000001", 5,
                "it has more than 999 bags"
            ),
            (".N/0117814872001", ".N/0117814872001\n.N/0117814871002", 1, "a bag is named twice"),
            (".S/N", ".S/J", 5, "Y or N is expected, for the authority to load"),
            (".W/P/1", ".W/G/1", 6, "K, L or P is expected, for the unit"),
            (".W/P/1", ".W/K/-1/20", 6, "'-1' is no number of bags, and no weight"),
            (".W/P/1", ".W/K/1/99999", 6, "'99999' is no number of bags, and no weight"),
            (".P/X", "P/X", 7, "expected a point, a letter and a slash, such as .N/0117814872001"),
            (".P/X", ".PX", 7, "expected a point, a letter and a slash, such as .N/0117814872001"),
            (".P/X", ".P/Å", 7, "it has other characters than ASCII"),
            ("ENDBSM", "BSM", 1, "the message has no end"),
        ]
    )
    func malformed(part: String, other: String, line: Int, reason: String) throws {
        let text = Self.osl.replacingOccurrences(of: part, with: other)
        let file = text + "\nENDBSM\n\n" + Self.changed
        let messages = BaggageSourceMessage.messages(in: Array(file.utf8))
        #expect(try messages.last?.get().change == .replace)
        #expect(throws: MessageFlaw(reason, at: line)) { try messages.first?.get() }
    }

    @Test("without an end is refused, at its first line", arguments: ["", "ENDBPM", "END BSM"])
    func endless(end: String) throws {
        let text = "\n" + Self.osl.replacingOccurrences(of: "ENDBSM", with: end)
        let messages = BaggageSourceMessage.messages(in: Array(text.utf8))
        #expect(messages.count == 1)
        #expect(throws: MessageFlaw.self) { try messages.first?.get() }
    }

    @Test("of another kind tells no expected bags")
    func otherKinds() throws {
        let bpm = "BPM\n.V/1LTPE\n.J/R///18APR/105210L/TIAT2/\n.N/0988401338001\nENDBPM\n"
        let messages = BaggageSourceMessage.messages(in: Array((bpm + Self.osl).utf8))
        #expect(messages.count == 2)
        #expect(throws: MessageFlaw("a BPM, and only a BSM tells which bags are expected", at: 1)) {
            try messages[0].get()
        }
        #expect(try messages[1].get().airport == "OSL")
        for text in ["", "\n\n", "HELLO", "ENDBSM", ".V/1LOSL\n", "bsm\nendbsm"] {
            #expect(BaggageSourceMessage.messages(in: Array(text.utf8)).isEmpty)
        }
    }

    @Test("tells in the end where a bag was seen")
    func processed() throws {
        let plate = try #require(LicencePlate("0988401338"))
        var message = BaggageProcessedMessage(
            airport: "TPE",
            plate: plate,
            date: try Date("2026-04-18T10:52:10Z", strategy: .iso8601),
            station: "Tür 2 – links, unten",
            point: "load",
            flight: MessageFlight(name: "OZ712", month: 4, day: 18, airport: "ICN")
        )
        #expect(
            message.text.split(separator: "\r\n").map(String.init) == [
                "BPM", ".V/1LTPE", ".J/R//TR2LINKS/18APR/105210Z/LOAD", ".F/OZ712/18APR/ICN",
                ".N/0988401338001", "ENDBPM",
            ]
        )
        #expect(message.text.hasSuffix("ENDBPM\r\n"))
        (message.flight, message.remarks) = (nil, ["typed", "/\r\nENDBPM"])
        let elements = try MessageElements.messages(in: Array(message.text.utf8))[0].get()
        #expect(elements.kind == "BPM")
        #expect(elements.elements.map(\.letter) == ["V", "J", "N", "R", "R"])
        #expect(elements.all("R").map(\.fields) == [["TYPED"], ["ENDBPM"]])
    }

    @Test("is written for each sighting of a bag with a plate that counts")
    func export() throws {
        let record = try emptyRecord()
        func file(_ payload: String, _ second: Double, _ point: Point = .origin) throws {
            _ = try ScanRecorder(container: record).record(
                .of(
                    payload,
                    name: "\(second)",
                    at: point,
                    station: "gate 7",
                    second: 1_000_000 + second
                )
            )
        }
        try file("0117814872", 7200, .destination)
        try file("0117814872", 0)
        try file("0000000000", 10)
        try file(payload(), 20)
        try file("0117814873", 30)
        try file("0117814873", 40)
        let undoing = ChangeUndoing(container: record)
        let last = try #require(try undoing.changes(limit: 10).first { $0.picture == "40.0" })
        _ = try undoing.undo(last.number, by: Responsibility(author: "anna", reason: "twice"))
        var bytes: [UInt8] = []
        let count = try record.read { context in
            try ProcessedBags(airport: "MUC", of: ScanQuestion()).write(in: context) { bytes += $0 }
        }
        #expect(count == 3)
        let messages = try MessageElements.messages(in: bytes).map { try $0.get() }
        #expect(
            messages.map {
                $0.all("N")[0].fields[0] + " " + $0.all("J")[0].fields.joined(separator: " ")
            }
                == [
                    "0117814872001 R  GATE7 12JAN 134640Z ORIGIN",
                    "0117814873001 R  GATE7 12JAN 134710Z ORIGIN",
                    "0117814872001 R  GATE7 12JAN 154640Z DESTINAT",
                ]
        )
        var question = ScanQuestion()
        question.point = .destination
        let some = try record.read { context in
            try ProcessedBags(airport: "MUC", of: question).write(in: context) { _ in }
        }
        #expect(some == 1)
        question.outcomes = [.noCode]
        let none = try record.read { context in
            try ProcessedBags(airport: "MUC", of: question).write(in: context) { _ in }
        }
        #expect(none == 0)
    }
}
