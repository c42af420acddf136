import LuggageTags
import Testing

/// A wrong payload, and what is said about it.
struct WrongPayload: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// In JSON; the same is wrong in the other formats.
    let json: String
    let code: TagError.Code
    let path: [String]
    let sentence: String
    /// What it is said with.
    let means: Means

    enum Means {
        case any
        /// XML has no control characters.
        case controlCharacters
        /// Property lists have no null.
        case null
    }

    init(
        _ testDescription: String,
        _ members: String,
        _ code: TagError.Code,
        _ path: [String],
        _ sentence: String,
        with means: Means = .any
    ) {
        self.testDescription = testDescription
        json = "{\(members)}"
        self.code = code
        self.path = path
        self.sentence = sentence
        self.means = means
    }

    func canBeSaid(in format: any PayloadFormat) -> Bool {
        let layout = (format as? PropertyListFormat)?.layout
        return switch means {
        case .any: true
        case .controlCharacters: layout != .xml
        case .null: layout == nil
        }
    }

    private static let id = #""id": "F432BDB8-D84F-4461-8362-AFF89F6C493E""#

    private static func owner(_ json: String) -> String {
        #"\#(id), "weight": 42, "owner": \#(json)"#
    }

    private static let anIdentifier =
        "an identifier like \"F432BDB8-D84F-4461-8362-AFF89F6C493E\""

    static let all = weights + others

    private static let others = [
        Self("nothing", "", .keyMissing, ["id"], "id: missing"),
        Self(
            "an identifier that is a number",
            #""id": 5, "weight": 42"#,
            .typeMismatch,
            ["id"],
            "id: expected \(anIdentifier), found the number 5"
        ),
        Self(
            "an identifier of another bag's system",
            #""id": "MUC-0001", "weight": 42"#,
            .notDecodable,
            ["id"],
            "id: expected \(anIdentifier), found the text \"MUC-0001\""
        ),
        Self(
            "two identifiers",
            #"\#(id), "ID": "9C417E05-3B6A-4D92-A1F7-5E802C19D4B3", "weight": 1"#,
            .ambiguous,
            ["ID"],
            "ID: contradicts \"id\", which is there too"
        ),
        Self(
            "an owner without names",
            owner("[]"),
            .valueMissing,
            ["owner", "0"],
            "owner, item 1: missing"
        ),
        Self(
            "an owner without a family name",
            owner(#"["D"]"#),
            .valueMissing,
            ["owner", "1"],
            "owner, item 2: missing"
        ),
        Self(
            "an owner whose family name is null",
            owner(#"["D", null]"#),
            .valueMissing,
            ["owner", "1"],
            "owner, item 2: expected a text, found nothing",
            with: .null
        ),
        Self(
            "an owner of numbers",
            owner(#"["D", 7]"#),
            .typeMismatch,
            ["owner", "1"],
            "owner, item 2: expected a text, found the number 7"
        ),
        Self(
            "an owner with a title",
            owner(#"["D", "ZMU", "Dr"]"#),
            .notDecodable,
            ["owner", "2"],
            "owner, item 3: expected two names, given and family, and found more"
        ),
        Self(
            "an owner that is a number",
            owner("7"),
            .typeMismatch,
            ["owner"],
            "owner: expected a list of given and family name, found the number 7"
        ),
        Self(
            "an owner without a slash",
            owner(#""ZMU D""#),
            .notDecodable,
            ["owner"],
            "owner: the text \"ZMU D\" has no slash; write the family name first, like \"ZMU/D\""
        ),
        Self(
            "an owner with two slashes",
            owner(#""ZMU/D/MR""#),
            .ambiguous,
            ["owner"],
            "owner: the text \"ZMU/D/MR\" has more than one slash; write the family name first, like "
                + "\"ZMU/D\""
        ),
        Self(
            "an owner with half a name",
            owner(#"{"familyName": "ZMU"}"#),
            .keyMissing,
            ["owner", "givenName"],
            "owner, givenName: missing"
        ),
        Self(
            "an owner with the given name first",
            owner(#""D/ZMU""#),
            .outOfRange,
            ["owner"],
            "owner, given name: must have 1 character, not 3 (\"ZMU\") (from the text \"D/ZMU\")"
        ),
        Self(
            "an owner with a whole name",
            owner(#"{"givenName": "D", "familyName": "ZMUDA"}"#),
            .outOfRange,
            ["owner", "familyName"],
            "owner, family name: must have 1 to 3 characters, not 5 (\"ZMUDA\")"
        ),
        Self(
            "an owner without a character",
            owner(#"["", "ZMU"]"#),
            .outOfRange,
            ["owner", "0"],
            "owner, given name: must have 1 character, not 0 (\"\")"
        ),
        Self(
            "an owner with a character that is not seen",
            owner(#""Z\u200bM/D""#),
            .outOfRange,
            ["owner"],
            #"owner, family name: must not contain characters that cannot be seen ("Z\u{200b}M") "#
                + #"(from the text "Z\u{200b}M/D")"#
        ),
    ]
}
