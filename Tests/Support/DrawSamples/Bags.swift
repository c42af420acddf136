internal import TagDrawing

/// The bags of the samples.
extension LuggageTagDrawing {
    /// The bag that the documentation tells of.
    static let canonical = LuggageTagDrawing(
        identifier: "F432BDB8-D84F-4461-8362-AFF89F6C493E",
        givenName: "D",
        familyName: "ZMU",
        pounds: 42.0
    )

    /// Another bag of the same passenger.
    static let second = LuggageTagDrawing(
        identifier: "9C417E05-3B6A-4D92-A1F7-5E802C19D4B3",
        givenName: "D",
        familyName: "ZMU",
        pounds: 31.5
    )

    static let chineseName = LuggageTagDrawing(
        identifier: "2B7EA610-95C8-4F03-B2D4-71E638AF0C5D",
        givenName: "李",
        familyName: "小龙",
        pounds: 27.5,
        origin: "PEK",
        destination: "HKG"
    )

    static let accents = LuggageTagDrawing(
        identifier: "77D041BE-6F29-4A85-9C13-E4B75A60D218",
        givenName: "É",
        familyName: "MÜL",
        pounds: 50.0,
        origin: "CDG",
        destination: "ZRH"
    )

    static let firstOfPair = LuggageTagDrawing(
        identifier: "51E8C7A4-0D3F-4B16-A9E2-83F5607BC41D",
        givenName: "A",
        familyName: "LOV",
        pounds: 22.0,
        origin: "LHR",
        destination: "EDI"
    )

    static let secondOfPair = LuggageTagDrawing(
        identifier: "E69F204D-B7A1-4C58-95D6-0F3CA8E2B714",
        givenName: "G",
        familyName: "HOP",
        pounds: 46.5,
        origin: "JFK",
        destination: "LHR"
    )

    static let onBelt = LuggageTagDrawing(
        identifier: "C05A93F2-18D7-4E6B-8F40-26B9DE715A0C",
        givenName: "S",
        familyName: "KOV",
        pounds: 38.5,
        origin: "LOS",
        destination: "FRA"
    )

    static let byTelephone = LuggageTagDrawing(
        identifier: "B7D20E94-61C3-4F58-9A0E-D4837FC5126B",
        givenName: "T",
        familyName: "NAK",
        pounds: 33.0,
        origin: "HND",
        destination: "MUC"
    )

    /// A tag whose weight is a word.
    static let weightInWords = {
        var tag = LuggageTagDrawing(
            identifier: "3FD1586C-E240-4977-B60A-C92E147D85F3",
            givenName: "D",
            familyName: "ZMU",
            pounds: 99.5
        )
        tag.payload = canonicalPayload(
            identifier: tag.identifier,
            owner: [tag.givenName, tag.familyName],
            weight: #""heavy""#
        )
        return tag
    }()

    /// A tag that was torn and then lost.
    static let torn = LuggageTagDrawing(
        identifier: "8A16E3D7-C4B9-4E02-A75F-90D2B84C61EF",
        givenName: "M",
        familyName: "HAM",
        pounds: 19.0,
        origin: "EDI",
        destination: "MUC"
    )
}
