/// An XML property list of a bag, and its parts.
enum BagInXML {
    static let start = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
        "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        """
    static let bag = """
        <dict><key>id</key><string>F432BDB8-D84F-4461-8362-AFF89F6C493E</string>\
        <key>weight</key><real>42</real></dict>
        """
    static let whole = start + bag + "</plist>"
}

extension HostilePayload {
    private static let (start, bag, whole) = (BagInXML.start, BagInXML.bag, BagInXML.whole)

    private static func weight(_ value: String) -> [UInt8] {
        Array("\(start)<dict><key>weight</key>\(value)</dict></plist>".utf8)
    }

    private static func entity(_ declarations: String) -> [UInt8] {
        Array("<!DOCTYPE plist [\(declarations)]><plist><string>&a;</string></plist>".utf8)
    }

    /// What stands for no number, no time or no bytes, though some readers make one of it.
    static let scalars: [HostilePayload] =
        [
            ("integer", "0x2A"), ("integer", "042"), ("integer", "+42"), ("integer", " 42 "),
            ("integer", "42.0"), ("integer", "4e1"), ("integer", "4_2"), ("integer", "-"),
            ("integer", ""), ("integer", "\u{664}\u{662}"), ("integer", "4&#50;"),
            ("real", "0x2A"), ("real", "0x1p5"), ("real", "042.0"), ("real", "+42.0"),
            ("real", ".5"), ("real", "5."), ("real", "42,5"), ("real", " 42.5"), ("real", "inf"),
            ("real", "NaN"), ("real", "nan(42)"), ("real", "infinity"), ("real", "1e"),
            ("real", ""),
            ("real", "1 e3"), ("real", "42.5 kg"),
            ("date", "2026-02-30T08:00:00Z"), ("date", "2027-02-29T08:00:00Z"),
            ("date", "2100-02-29T08:00:00Z"), ("date", "2026-13-01T08:00:00Z"),
            ("date", "2026-00-01T08:00:00Z"), ("date", "2026-04-31T08:00:00Z"),
            ("date", "2026-07-00T08:00:00Z"), ("date", "2026-07-01T24:00:00Z"),
            ("date", "2026-07-01T08:60:00Z"), ("date", "2026-07-01T08:00:60Z"),
            ("date", "2026-07-01T08:00:00"), ("date", "2026-07-01 08:00:00Z"),
            ("date", "2026-07-01T08:00:00.5Z"), ("date", "2026-07-01T08:00:00+02:00"),
            ("date", "0001-01-01T00:00:00Z"), ("date", "-001-01-01T00:00:00Z"),
            ("date", "2026-7-1T8:0:0Z"), ("date", "yesterday"), ("date", ""),
            ("data", "Q!UJD"), ("data", "QUJ"), ("data", "QQ==QQ=="), ("data", "Q==="),
            ("data", "QUJD="), ("data", "QU-_"), ("data", "\u{FF31}UJD"), ("data", "QUJ&#68;"),
        ].map { (name: String, content: String) in
            HostilePayload(
                "<\(name)> of \(content)",
                weight("<\(name)>\(content)</\(name)>"),
                "<\(name)> must be "
            )
        }
        + ["integer", "real", "date"].map { name in
            HostilePayload("an empty <\(name)>", weight("<\(name)/>"), "<\(name)> must be ")
        }
        + [
            HostilePayload(
                "a number in character data",
                weight("<real><![CDATA[42]]></real>"),
                "<real> must be a number in decimal digits, like 42.5, not \"\""
            ),
            HostilePayload(
                "a text that stands for nothing",
                weight("<string>$null</string>"),
                #"the text "$null" means nothing to some readers"#
            ),
            HostilePayload(
                "a name that stands for nothing",
                weight("<real>42</real><key>$null</key><true/>"),
                #"the text "$null" means nothing to some readers"#
            ),
            HostilePayload(
                "a text that stands for nothing, with a reference",
                weight("<array><string>&#36;null</string></array>"),
                #"the text "$null" means nothing to some readers"#
            ),
        ]

    static let xml: [HostilePayload] = [
        HostilePayload(
            "deep lists",
            Array((start + String(repeating: "<array>", count: 200_000)).utf8),
            "deeply"
        ),
        HostilePayload(
            "deep objects",
            Array((start + String(repeating: "<dict><key>a</key>", count: 100_000)).utf8),
            "deeply"
        ),
        HostilePayload(
            "an entity bomb",
            entity(
                #"<!ENTITY x "aaaaaaaa"><!ENTITY y "&x;&x;&x;&x;&x;"><!ENTITY a "&y;&y;&y;&y;">"#
            ),
            "document type of its own"
        ),
        HostilePayload(
            "an external entity",
            entity(#"<!ENTITY a SYSTEM "file:///etc/passwd">"#),
            "document type of its own"
        ),
        HostilePayload(
            "an entity without a declaration",
            weight("<string>&a;</string>"),
            "unknown entity"
        ),
        HostilePayload(
            "a reference to no character",
            weight("<string>&#0;</string>"),
            "no character"
        ),
        HostilePayload(
            "a reference to half a character",
            weight("<string>&#xD800;</string>"),
            "no character"
        ),
        HostilePayload(
            "a reference beyond Unicode",
            weight("<string>&#1114112;</string>"),
            "no character"
        ),
        HostilePayload(
            "a reference without end",
            weight("<string>&#99999999999999999999;</string>"),
            "no character"
        ),
        HostilePayload(
            "two members of one name",
            Array("\(start)<dict><key>a</key><true/><key>a</key><false/></dict></plist>".utf8),
            "two members have the same name"
        ),
        HostilePayload(
            "two members of one name, one with a reference",
            Array("\(start)<dict><key>a</key><true/><key>&#97;</key><true/></dict></plist>".utf8),
            "two members have the same name"
        ),
        HostilePayload(
            "two members of one name, one as character data",
            Array(
                "\(start)<dict><key>a</key><true/><key><![CDATA[a]]></key><true/></dict></plist>"
                    .utf8
            ),
            "two members have the same name"
        ),
        HostilePayload(
            "rubbish after the end",
            Array((whole + "rubbish").utf8),
            "something follows its end"
        ),
        HostilePayload("two documents", Array((whole + whole).utf8), "something follows its end"),
        HostilePayload(
            "two values",
            Array((start + bag + bag + "</plist>").utf8),
            "</plist> is expected"
        ),
        HostilePayload("no <plist>", Array(bag.utf8), "<plist is expected"),
        HostilePayload("an end too early", Array(whole.utf8.dropLast(8)), "it ends early"),
        HostilePayload("only a beginning", Array("<".utf8), "<plist is expected"),
        HostilePayload("UTF-16", Array(whole.utf8.flatMap { [$0, 0] }), "UTF-16"),
        HostilePayload(
            "UTF-16 with a mark",
            [0xFE, 0xFF] + whole.utf8.flatMap { [0, $0] },
            "UTF-16"
        ),
        HostilePayload(
            "another encoding",
            Array(whole.replacing("UTF-8", with: "ISO-8859-1").utf8),
            "its encoding must be UTF-8"
        ),
        HostilePayload("what is not UTF-8", weight("<string>") + [0xC0, 0x80], "not UTF-8"),
        HostilePayload(
            "a control character",
            weight("<string>\u{0}</string>"),
            "control character"
        ),
        HostilePayload(
            "XML 1.1",
            Array(whole.replacing("\"1.0\" encoding", with: "\"1.1\" encoding").utf8),
            "1.0"
        ),
        HostilePayload("an unknown element", weight("<nil/>"), "<nil> is no value"),
        HostilePayload(
            "an element of a long name",
            weight("<\(String(repeating: "a", count: 9999))/>"),
            "no value"
        ),
        HostilePayload("an attribute", weight("<real unit=\"kg\">1</real>"), "> is expected"),
        HostilePayload(
            "a member without a key",
            weight("<real>1</real><real>2</real>"),
            "a key is expected"
        ),
        HostilePayload(
            "a member without a value",
            weight("<real>1</real><key>a</key>"),
            "name is expected"
        ),
        HostilePayload("a comment without end", weight("<!-- "), "ends early"),
        HostilePayload("an instruction", weight("<?do this?><real>1</real>"), "name is expected"),
        HostilePayload("a wrong end", weight("<real>1</string>"), "</real> is expected"),
        HostilePayload(
            "comments in a text",
            weight("<string>4<!-- 0 -->2 kg</string>"),
            "</string> is expected"
        ),
    ]
}
