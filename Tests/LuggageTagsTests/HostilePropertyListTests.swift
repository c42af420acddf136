import Foundation
import LuggageTags
import Testing

/// A payload that must not get as far as a decoder, and words of the reason.
struct HostilePayload: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let payload: [UInt8]
    let words: String

    init(_ testDescription: String, _ payload: [UInt8], _ words: String) {
        self.testDescription = testDescription
        self.payload = payload
        self.words = words
    }
}

@Suite("A hostile property list")
struct HostilePropertyListTests {
    @Test(
        "in XML is refused, and the reason is given",
        arguments: HostilePayload.xml + HostilePayload.scalars
    )
    func refusesXML(hostile: HostilePayload) async throws {
        try await check(hostile, "the payload is not an XML property list: ")
    }

    @Test("in binary is refused, and the reason is given", arguments: HostilePayload.binary)
    func refusesBinary(hostile: HostilePayload) async throws {
        try await check(hostile, "the payload is not a binary property list: ")
    }

    private func check(_ hostile: HostilePayload, _ start: String) async throws {
        let error = try #require(await refusal(hostile.payload))
        #expect(error.code == .notPropertyList)
        #expect(error.stage == .structured)
        #expect(error.message.hasPrefix(start))
        #expect(error.message.contains(hostile.words), "\(error.message)")
    }

    /// Where each member were compared with each other one, this would take hours.
    @Test("of a megabyte is refused in a moment", .timeLimit(.minutes(30)))
    func size() async throws {
        let many = 100_000
        let members = (0..<many).map { "<key>\($0)</key><true/>" }.joined()
        var list = BinaryPropertyList(objects: [[0xDF, 0x12] + UInt64(many).bytes.suffix(4)])
        list.offsetSize = 4
        list.referenceSize = 4
        list.objects[0] += (0..<2 * many).flatMap { _ in [0, 0, 0, 1] as [UInt8] }
        list.objects.append(
            [0x5F, 0x12, 0, 0x0F, 0x42, 0x40] + [UInt8](repeating: 65, count: 1_000_000)
        )
        let xml = Array("\(BagInXML.start)<dict>\(members)</dict></plist>".utf8)
        let codes = [try await refusal(xml)?.code, try await refusal(list.bytes)?.code]
        #expect(codes == [.keyMissing, .notPropertyList])
    }

    @Test(
        "that is only unusual is read",
        arguments: [
            BagInXML.whole, "\u{FEFF}" + BagInXML.whole, "<plist>\(BagInXML.bag)</plist>",
            " \n\(BagInXML.whole.dropFirst(39))\n",
            BagInXML.whole.replacing("<dict>", with: "<!-- a bag --><dict ><!-- its number -->"),
            BagInXML.whole.replacing(
                "42</real>",
                with: "42</real ><key>n</key><array/><key>s</key><string/>"
            ),
            BagInXML.whole.replacing("F432", with: "&#x46;4<![CDATA[32]]>"),
            BagInXML.whole.replacing("\"", with: "'").replacing("'http:", with: "\"http:")
                .replacing("dtd'", with: "dtd\""),
            BagInXML.whole.replacing("<real>42</real>", with: "<integer>42</integer>"),
            BagInXML.whole.replacing(" PUBLIC", with: "\nPUBLIC"),
            BagInXML.whole.replacing("<real>42</real>", with: "<real>4.2e+1</real>"),
            BagInXML.whole.replacing(
                "<string>F432BDB8-D84F-4461-8362-AFF89F6C493E</string>",
                with: "<data>\n\t9DK9uNhPRGGDYq/4n2xJPg==\n</data>"
            ),
            BagInXML.whole.replacing(
                "42</real>",
                with: "42</real><key>a</key><date>2028-02-29T23:59:59Z</date>"
                    + "<key>b</key><data>QQ==</data><key>c</key><real>+infinity</real><key>d</key><integer>-0</integer>"
                    + "<key>$</key><string>$Null</string>"
            ),
            "<!DOCTYPE plist SYSTEM \"file://localhost/PropertyList.dtd\"><plist>\(BagInXML.bag)</plist>",
        ]
    )
    func unusual(text: String) throws {
        let contents = try TagDecoder().contents(of: Array(text.utf8))
        #expect(contents.weight == 42)
        #expect(contents.identifier.uuidString.hasPrefix("F432"))
    }
}
