import LuggageTags
import Testing

/// A file that is wrong, and what is said about it.
struct WrongFile: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]
    var format: ExchangeFormat?
    /// The line and the number of the record that are named.
    var line: Int?
    var record: Int?
    let reason: String
    let sentence: String

    init(
        _ testDescription: String,
        _ text: String,
        _ reason: String,
        _ sentence: String,
        format: ExchangeFormat? = nil,
        line: Int? = nil,
        record: Int? = nil
    ) {
        self.init(
            testDescription,
            bytes: Array(text.utf8),
            reason,
            sentence,
            format: format,
            line: line,
            record: record
        )
    }

    init(
        _ testDescription: String,
        bytes: [UInt8],
        _ reason: String,
        _ sentence: String,
        format: ExchangeFormat? = nil,
        line: Int? = nil,
        record: Int? = nil
    ) {
        self.testDescription = testDescription
        self.bytes = bytes
        self.format = format
        self.line = line
        self.record = record
        self.reason = reason
        self.sentence = sentence
    }
}

extension WrongFile {
    /// What is wrong with a file as a whole.
    static let wholes = [
        WrongFile("nothing", "", "truncated", "nothing in the file"),
        WrongFile("space only", " \r\n\t", "truncated", "nothing in the file"),
        WrongFile("a picture", bytes: [0x89, 0x50, 0x4E, 0x47], "unknown-format", "a picture"),
        WrongFile("a JPEG", bytes: [0xFF, 0xD8, 0xFF, 0xE1], "unknown-format", "a picture"),
        WrongFile("UTF-16", bytes: [0xFF, 0xFE, 0x69, 0], "unknown-format", "the file is UTF-16"),
        WrongFile(
            "UTF-16, large ends first",
            bytes: [0xFE, 0xFF, 0, 0x69],
            "unknown-format",
            "UTF-16"
        ),
        WrongFile("words", "HELLO TAG", "unknown-format", "neither JSON"),
        WrongFile("a binary property list", "bplist00", "unknown-format", "read as a whole"),
        WrongFile(
            "a file of another program",
            #"{"about":{"format":"parcels","version":1}}"#,
            "unknown-format",
            "\"parcels\""
        ),
        WrongFile(
            "a file of a later version",
            #"{"about":{"format":"luggage","version":3,"records":[]}}"#,
            "unknown-version",
            "version 3 of the format, and this program reads versions 1 to 2"
        ),
        WrongFile(
            "a later version behind one that is known",
            about + "\n{\"end\":{\"bags\":0,\"passengers\":0,\"scans\":0}}\n"
                + #"{"about":{"format":"luggage","version":3}}"#,
            "unknown-version",
            "version 3"
        ),
        WrongFile("no end", about + "\n", "truncated", "ends early"),
        WrongFile(
            "fewer records than were written",
            about
                + #"{"end":{"bags":1,"passengers":0,"scans":0}}"#
                .replacing("{\"end\"", with: "\n{\"end\""),
            "truncated",
            "ends early",
            line: 2
        ),
        WrongFile(
            "a document that ends early",
            #"{"bags":[{"id":"#,
            "truncated",
            "ends early",
            line: 1
        ),
        WrongFile(
            "a file that was cut off in front of another",
            about + "\n" + about + "\n{\"end\":{\"bags\":0,\"passengers\":0,\"scans\":0}}\n",
            "truncated",
            "ends early",
            line: 2
        ),
        WrongFile("an object without members", "{\n}", "malformed", "neither bags, nor"),
        WrongFile(
            "a document that only says what it is",
            about.replacing(",", with: ",\n"),
            "malformed",
            "neither bags, nor passengers, nor scans"
        ),
        WrongFile(
            "a property list without members",
            "<plist><dict></dict></plist>",
            "malformed",
            "neither bags, nor passengers, nor scans"
        ),
        WrongFile(
            "a bag where a list is due",
            "<plist><dict><key>bags</key><dict></dict></dict></plist>",
            "malformed",
            "<array> is expected"
        ),
        WrongFile("an open list", "[\n \n", "truncated", "ends early", line: 3),
        WrongFile("something behind the end", "[] {}", "malformed", "something follows its end"),
        WrongFile("no comma", #"{"bags":[] "scans":[]}"#, "malformed", "a comma is expected"),
        WrongFile("a list twice", #"{"bags":[],"bags":[]}"#, "malformed", "the same name"),
        WrongFile(
            "a record beyond all bounds",
            "[\"" + String(repeating: "a", count: 2 << 20) + "\"]",
            "too-long",
            "1048576 bytes"
        ),
        WrongFile(
            "brackets without end",
            String(repeating: "[", count: 3 << 20),
            "too-long",
            "1048576 bytes"
        ),
        WrongFile("XML of another kind", "<html></html>", "malformed", "<plist> is expected"),
        WrongFile(
            "a document type of its own",
            "<!DOCTYPE plist [<!ENTITY a 'b'>]><plist><array/></plist>",
            "malformed",
            "document type"
        ),
        WrongFile("an open property list", "<plist><array><dict>", "truncated", "ends early"),
        WrongFile(
            "elements without end",
            "<plist><array>" + String(repeating: "<array>", count: 300_000),
            "too-long",
            "1048576 bytes"
        ),
        WrongFile(
            "MessagePack that ends early",
            bytes: [0x81, 0xA2, 0x69],
            "truncated",
            "ends early"
        ),
        WrongFile(
            "MessagePack with a length beyond all bounds",
            bytes: [0x81, 0xA2, 0x69, 0x64, 0xC6, 0x7F, 0xFF, 0xFF, 0xFF],
            "too-long",
            "1048576 bytes"
        ),
        WrongFile("a reserved byte", bytes: [0x81, 0xC1], "malformed", "0xC1"),
        WrongFile("CSV without columns", "a,b\r\n1,2\r\n", "malformed", "no column \"id\""),
        WrongFile("CSV with semicolons", "id;weight\r\n", "malformed", "not separated by commas"),
        WrongFile(
            "CSV with a column twice",
            "id,id,weight\r\n",
            "malformed",
            "\"id\" is there twice"
        ),
        WrongFile(
            "CSV with a column twice only",
            "id,id\r\n1,2",
            "malformed",
            "\"id\" is there twice"
        ),
        WrongFile(
            "CSV with two columns without names",
            "id,weight,,\r\n",
            "malformed",
            "two columns have no name"
        ),
        WrongFile(
            "an open quotation",
            "id,weight\r\n\"F432BDB8-D84F-4461-8362-AFF89F6C493E,1\r\n",
            "truncated",
            "ends early",
            line: 2
        ),
    ]

    private static let about = #"{"about":{"format":"luggage","records":["scans"],"version":1}}"#
}
