import LuggageTags
import TagPrinting
import Testing

@Suite("The guide to printing tags")
struct TagPrintingExampleTests {
    @Test("makes a file for a printer")
    func file() throws {
        let tag = try PrintedTag(
            owner: PassengerName(givenName: "D", familyName: "ZMU"),
            pounds: 42,
            origin: PlaceName("ZRH"),
            destination: PlaceName("JFK")
        )
        let printer = TagPrinter(paper: .strip, resolution: .dots203)
        let bytes = try printer.file(of: [tag], as: .zpl)
        #expect(bytes.starts(with: "^XA".utf8))
    }
}
