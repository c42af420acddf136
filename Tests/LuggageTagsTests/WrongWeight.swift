import LuggageTags

extension WrongPayload {
    private static func weight(_ json: String) -> String {
        #""id": "F432BDB8-D84F-4461-8362-AFF89F6C493E", "weight": \#(json)"#
    }

    /// Weights that are none, or that can be told in two ways.
    static let weights = [
        Self(
            "a weight in words",
            weight(#""heavy""#),
            .typeMismatch,
            ["weight"],
            "weight: expected a number, found the text \"heavy\""
        ),
        Self(
            "a weight that is true",
            weight("true"),
            .typeMismatch,
            ["weight"],
            "weight: expected a number, found true"
        ),
        Self(
            "a weight that is a list",
            weight("[42]"),
            .typeMismatch,
            ["weight"],
            "weight: expected a number, found a list of 1"
        ),
        Self(
            "a weight in two spellings, of which one is null",
            weight(#"null, "Weight": -1"#),
            .outOfRange,
            ["Weight"],
            "weight: must be at least 0.0, not -1.0",
            with: .null
        ),
        Self(
            "a weight whose number is null",
            weight(#"{"value": null, "unit": "lb"}"#),
            .valueMissing,
            ["weight", "value"],
            "weight, value: expected a number, found nothing",
            with: .null
        ),
        Self(
            "a weight in an object with two spellings, of which one is null",
            weight(#"{"value": null, "VALUE": -2, "Unit": "lb"}"#),
            .outOfRange,
            ["weight", "VALUE"],
            "weight: must be at least 0.0, not -2.0",
            with: .null
        ),
        Self(
            "a text without a unit",
            weight(#""42""#),
            .ambiguous,
            ["weight"],
            "weight: the text \"42\" has no unit; write \"lb\" or \"kg\" after it, or a number "
                + "without quotes for pounds"
        ),
        Self(
            "a comma",
            weight(#""19,05 kg""#),
            .ambiguous,
            ["weight"],
            "weight: the text \"19,05 kg\" has a comma, which may separate thousands or decimals; "
                + "write a point for decimals"
        ),
        Self(
            "a point where others separate thousands",
            weight(#""1.000 kg""#),
            .ambiguous,
            ["weight"],
            "weight: the text \"1.000 kg\" has three digits after its point, which may separate "
                + "thousands; write \"1000 kg\" for thousands, or \"1.0000 kg\" for decimals"
        ),
        Self(
            "a point and three digits without a space",
            weight(#""-42.500LB""#),
            .ambiguous,
            ["weight"],
            "weight: the text \"-42.500LB\" has three digits after its point, which may separate "
                + "thousands; write \"-42500 lb\" for thousands, or \"-42.5000 lb\" for decimals"
        ),
        Self(
            "a space between digits",
            weight(#""1 000 kg""#),
            .notDecodable,
            ["weight"],
            "weight: the text \"1 000 kg\" has a separator between its digits; write them without, "
                + "like \"1250 kg\""
        ),
        Self(
            "an apostrophe between digits",
            weight(#""1'000.5 kg""#),
            .notDecodable,
            ["weight"],
            "weight: the text \"1'000.5 kg\" has a separator between its digits; write them without, "
                + "like \"1250 kg\""
        ),
        Self(
            "thousands of thousands",
            weight(#""1.000.000 kg""#),
            .notDecodable,
            ["weight"],
            "weight: expected a weight like \"42 lb\" or \"19.05 kg\", found the text "
                + "\"1.000.000 kg\""
        ),
        Self(
            "the sign of the unit kelvin",
            weight(#""19 \#u{212A}g""#),
            .notDecodable,
            ["weight"],
            "weight: expected a weight in lb or kg, found the text \"19 \u{212A}g\""
        ),
        Self(
            "the sign of the unit kelvin in an object",
            weight(#"{"value": 3, "unit": "\#u{212A}G"}"#),
            .notDecodable,
            ["weight", "unit"],
            "weight, unit: expected the text \"kg\" or \"lb\", found the text \"\u{212A}G\""
        ),
        Self(
            "hexadecimal digits",
            weight(#""0x2A kg""#),
            .notDecodable,
            ["weight"],
            "weight: expected a weight in lb or kg, found the text \"0x2A kg\""
        ),
        Self(
            "an unknown unit",
            weight(#""3 stone""#),
            .notDecodable,
            ["weight"],
            "weight: expected a weight in lb or kg, found the text \"3 stone\""
        ),
        Self(
            "an unknown unit in an object",
            weight(#"{"value": 3, "unit": "stone"}"#),
            .notDecodable,
            ["weight", "unit"],
            "weight, unit: expected the text \"kg\" or \"lb\", found the text \"stone\""
        ),
        Self(
            "a weight without its unit",
            weight(#"{"value": 3}"#),
            .keyMissing,
            ["weight", "unit"],
            "weight, unit: missing"
        ),
        Self(
            "a value that is a text",
            weight(#"{"value": "3", "unit": "kg"}"#),
            .typeMismatch,
            ["weight", "value"],
            "weight, value: expected a number, found the text \"3\""
        ),
        Self(
            "two weights",
            weight(#"42, "Weight": "42 kg""#),
            .ambiguous,
            ["Weight"],
            "Weight: contradicts \"weight\", which is there too"
        ),
        Self(
            "a weight below 0",
            weight(#""-19 kg""#),
            .outOfRange,
            ["weight"],
            "weight: must be at least 0.0, not -41.88783 (from the text \"-19 kg\")"
        ),
        Self(
            "a weight below 0 in an object",
            weight(#"{"value": -2, "unit": "lb"}"#),
            .outOfRange,
            ["weight", "value"],
            "weight: must be at least 0.0, not -2.0"
        ),
        Self(
            "a text that steers a terminal",
            weight(#""\u001b[31m7 \u202e\u0007""#),
            .notDecodable,
            ["weight"],
            #"weight: expected a weight like "42 lb" or "19.05 kg", found the text "#
                + #""\u{1b}[31m7 \u{202e}\u{7}""#,
            with: .controlCharacters
        ),
        Self(
            "a text with quotes and backslashes",
            weight(#""7 \" or \\ \u200b""#),
            .notDecodable,
            ["weight"],
            #"weight: expected a weight in lb or kg, found the text "7 \" or \\ \u{200b}""#
        ),
        Self(
            "a text of any length",
            weight("\"" + String(repeating: "heavy ", count: 100) + "\""),
            .typeMismatch,
            ["weight"],
            "weight: expected a number, found the text "
                + "\"heavy heavy heavy heavy heavy heavy heav…\""
        ),
    ]
}
