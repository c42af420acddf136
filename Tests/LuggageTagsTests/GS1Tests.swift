import Foundation
import Testing

@testable import LuggageTags

@Suite("A label of GS1")
struct GS1Tests {
    /// The same thing, in other forms.
    struct Thing: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let forms: [String]
    }

    static let things = [
        // The SSCC of GS1's own examples.
        Thing(
            testDescription: "an SSCC",
            forms: [
                "https://id.gs1.org/00/106141411234567897",
                "HTTP://ID.GS1.ORG/00/106141411234567897",
                "https://example.com/some/path/00/106141411234567897/?linkType=all#there",
                "https://id.gs1.org/00/1061414%31123456789%37",
                "00106141411234567897", "]Q300106141411234567897", "]C100106141411234567897",
                "]d20210614141123456237\u{1D}00106141411234567897",
                "]Q31126123100106141411234567897", "]Q310LOT-7\u{1D}00106141411234567897",
            ]
        ),
        Thing(
            testDescription: "a GRAI",
            forms: [
                "https://id.gs1.org/8003/04012345123456A-17%2F2",
                "]Q3800304012345123456A-17/2", "800304012345123456A-17/2",
                "]Q3800304012345123456A-17/2\u{1D}10LOT",
            ]
        ),
        Thing(
            testDescription: "a GIAI",
            forms: [
                "https://id.gs1.org/8004/4012345ABC%2D1",
                "https://id.gs1.org/8004/4012345ABC-1/7040/1ABC",
                "]Q380044012345ABC-1", "]J180044012345ABC-1\u{1D}",
            ]
        ),
    ]

    @Test("is one thing in all its forms", arguments: things)
    func forms(thing: Thing) throws {
        let identifiers = try thing.forms.map { form in
            let payload = Array(form.utf8)
            #expect(PayloadFormats.all.count { $0.recognises(payload) } == 1, "\(form)")
            let contents = try TagDecoder().contents(of: payload)
            #expect(contents.owner == nil && contents.weight == nil)
            return contents.identifier
        }
        #expect(Set(identifiers).count == 1)
    }

    @Test(
        "is called by people as it is printed, or as a scanner sends it",
        arguments: [
            "106141411234567897", "00106141411234567897", "(00)106141411234567897",
            "(00) 1 0614141 123456789 7", "]C100106141411234567897",
            "(02)10614141123456(37)12(00)106141411234567897",
            "https://id.gs1.org/00/106141411234567897",
        ]
    )
    func label(text: String) throws {
        let bag = try TagDecoder().contents(of: Array("00106141411234567897".utf8)).identifier
        #expect(UUID(label: text) == bag)
    }

    @Test("is not called by anything else", arguments: ["(", "()", "(00)", "(00)1", "00", "(21)7"])
    func noLabel(text: String) { #expect(UUID(label: text) == nil) }

    @Test("is not another thing")
    func different() throws {
        let forms = Self.things.compactMap(\.forms.first) + ["]Q380044012345ABC-2"]
        let identifiers = try forms.map { try TagDecoder().contents(of: Array($0.utf8)).identifier }
        #expect(Set(identifiers).count == forms.count)
        // Records keep it: it must never change.
        #expect(identifiers[0].uuidString == "75241C33-4112-81EE-81E2-3531FAFC7FBC")
    }

    @Test(
        "that is malformed is refused, with the reason",
        arguments: [
            ("https://id.gs1.org/00/106141411234567898", "the check digit of the SSCC is wrong"),
            ("https://id.gs1.org/00/10614141123456789", "the SSCC must have 18 digits"),
            ("https://id.gs1.org/00/", "its path does not end with one key"),
            ("https://id.gs1.org/00", "its path does not end with one key"),
            (
                "https://id.gs1.org/00/106141411234567897/10/LOT",
                "its path does not end with one key"
            ),
            (
                "https://id.gs1.org/8003/04012345123456",
                "the GRAI has no serial number, so it names a kind of things"
            ),
            ("https://id.gs1.org/8003/14012345123456A", "the GRAI does not begin with a zero"),
            ("https://id.gs1.org/8003/04012345123457A", "the check digit of the GRAI is wrong"),
            (
                "https://id.gs1.org/8003/04012345123456ABCDEFGHIJKLMNOPQ",
                "the GRAI has more than 30 characters"
            ),
            ("https://id.gs1.org/8004/ABC", "the GIAI does not begin with the digits of a company"),
            (
                "https://id.gs1.org/8004/4012345%20",
                "the GIAI has characters that GS1 does not allow"
            ),
            (
                "https://id.gs1.org/8004/4012345%C3%9F",
                "the GIAI has characters that GS1 does not allow"
            ),
            (
                "https://id.gs1.org/8004/4012345%FF",
                "the GIAI has characters that GS1 does not allow"
            ),
            ("https://id.gs1.org/8004/4012345%2", "a percent sign without two hexadecimal digits"),
            ("https://id.gs1.org/8004/4012345%+1", "a percent sign without two hexadecimal digits"),
            ("https://id.gs1.org/8004/4012345%", "a percent sign without two hexadecimal digits"),
            (
                "https://id.gs1.org/8004/1234567890123456789012345678901",
                "the GIAI has more than 30 characters"
            ),
            ("]Q3", "it has no SSCC (00), GRAI (8003) or GIAI (8004)"),
            ("]Q30109521234543213", "it has no SSCC (00), GRAI (8003) or GIAI (8004)"),
            ("]Q3001061414112345678", "a value of 18 characters ends early"),
            ("]Q300106141411234567897\u{1D}\u{1D}", "an application identifier is expected"),
            ("]Q300106141411234567897XX1", "an application identifier is expected"),
            ("]Q30010614141123456789780044012345A", "it has keys of 2 things"),
            ("]C18003", "the GRAI does not begin with a zero"),
        ]
    )
    func malformed(text: String, reason: String) throws {
        let payload = Array(text.utf8)
        do throws(TagError) {
            _ = try TagDecoder().contents(of: payload)
            Issue.record("it was read")
        } catch {
            #expect(error.code == .notGS1)
            #expect(error.message.hasSuffix(reason), "\(error.message)")
        }
    }

    @Test(
        "is not taken for one without proof",
        arguments: [
            "https://example.com/", "https://example.com/menu?x=/00/1", "ftp://id.gs1.org/00/1",
            "https://", "http:/", "00106141411234567898", "8004ABCD1234", "80030", "]Q2HELLO", "]",
            "800304012345123457A",
        ]
    )
    func others(text: String) throws {
        let payload = Array(text.utf8)
        #expect(!PayloadFormats.labels.contains { $0.recognises(payload) })
        #expect(throws: TagError.self) { try TagDecoder().contents(of: payload) }
    }
}
