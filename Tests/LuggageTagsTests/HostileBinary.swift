extension HostilePayload {
    static let binary: [HostilePayload] = [
        HostilePayload(
            "a text that stands for nothing",
            BinaryPropertyList.weight(BinaryPropertyList.text("$null")).bytes,
            #"the text "$null" means nothing to some readers"#
        ),
        HostilePayload(
            "a wide text that stands for nothing",
            BinaryPropertyList.weight([0x65] + "$null".utf8.flatMap { [0, $0] }).bytes,
            #"the text "$null" means nothing to some readers"#
        ),
        HostilePayload(
            "an object within itself",
            BinaryPropertyList.weight([0xA1, 0]).bytes,
            "two places"
        ),
        HostilePayload(
            "a list within itself",
            BinaryPropertyList(objects: [[0xA1, 0]]).bytes,
            "two places"
        ),
        HostilePayload(
            "lists that share one another",
            BinaryPropertyList(
                objects: (1..<20).map { [0xA8] + [UInt8](repeating: $0, count: 8) } + [[0x08]]
            ).bytes,
            "two places"
        ),
        HostilePayload(
            "deep lists",
            BinaryPropertyList(objects: (1..<200).map { [0xA1, $0] } + [[0x08]]).bytes,
            "deeply"
        ),
        HostilePayload(
            "an object as a name",
            BinaryPropertyList(objects: [[0xD1, 1, 2], [0xD1, 2, 2], [0x08]]).bytes,
            "is not text"
        ),
        HostilePayload(
            "a number as a name",
            BinaryPropertyList(objects: [[0xD1, 1, 1], [0x10, 1]]).bytes,
            "is not text"
        ),
        HostilePayload(
            "two members of one name",
            BinaryPropertyList(objects: [
                [0xD2, 1, 2, 3, 3], BinaryPropertyList.text("a"), BinaryPropertyList.text("a"), [8],
            ]).bytes,
            "two members have the same name"
        ),
        HostilePayload(
            "two members of one name in two encodings",
            BinaryPropertyList(objects: [
                [0xD2, 1, 2, 3, 3], BinaryPropertyList.text("a"), [0x61, 0, 0x61], [8],
            ]).bytes,
            "two members have the same name"
        ),
        HostilePayload("a list of 2⁶⁴ - 1", counted(0xAF, .max), "larger than the payload"),
        HostilePayload("a list of 2⁶³ - 1", counted(0xAF, .max >> 1), "larger than the payload"),
        HostilePayload("an object of 2⁶³ - 1", counted(0xDF, .max >> 1), "larger than the payload"),
        HostilePayload("an object of 2⁶²", counted(0xDF, 1 << 62), "larger than the payload"),
        HostilePayload("a text of 2⁶³ - 1", counted(0x5F, .max >> 1), "larger than the payload"),
        HostilePayload("a wide text of 2⁶²", counted(0x6F, 1 << 62), "larger than the payload"),
        HostilePayload("data of 2⁶³ - 1", counted(0x4F, .max >> 1), "larger than the payload"),
        HostilePayload(
            "a list of more than there is",
            BinaryPropertyList.weight([0xA9, 1]).bytes,
            "ends early"
        ),
        HostilePayload(
            "a count that is no number",
            BinaryPropertyList.weight([0xAF, 0x50]).bytes,
            "a count is"
        ),
        HostilePayload(
            "a count of 16 bytes",
            BinaryPropertyList.weight([0xAF, 0x14] + .max16).bytes,
            "a count is"
        ),
        HostilePayload("half a count", BinaryPropertyList.weight([0xAF]).bytes, "a count is"),
        HostilePayload(
            "a number of 16 bytes",
            BinaryPropertyList.weight([0x14] + .max16).bytes,
            "too large"
        ),
        HostilePayload("a set", BinaryPropertyList.weight([0xC1, 1]).bytes, "an unknown kind"),
        HostilePayload(
            "a reference to an archive",
            BinaryPropertyList.weight([0x80, 1]).bytes,
            "an unknown kind"
        ),
        HostilePayload(
            "an unknown object",
            BinaryPropertyList.weight([0x21, 0, 0]).bytes,
            "an unknown kind"
        ),
        HostilePayload(
            "a text that is not ASCII",
            BinaryPropertyList.weight([0x52, 0xC3, 0xBC]).bytes,
            "malformed"
        ),
        HostilePayload(
            "half a character",
            BinaryPropertyList.weight([0x61, 0xD8, 0]).bytes,
            "malformed"
        ),
        HostilePayload(
            "a reference to nothing",
            BinaryPropertyList.weight([0xA1, 9]).bytes,
            "is not there"
        ),
        HostilePayload("an offset outside", offset(2, 999), "outside of it"),
        HostilePayload("an offset into the mark", offset(2, 0), "outside of it"),
        HostilePayload("an offset into the table", offset(2, 20), "outside of it"),
        HostilePayload("an outermost object outside", with { $0.top = 3 }, "trailer"),
        HostilePayload("an outermost object far outside", with { $0.top = .max }, "trailer"),
        HostilePayload("2⁶⁴ - 1 objects", with { $0.count = .max }, "trailer"),
        HostilePayload("no object", with { $0.count = 0 }, "trailer"),
        HostilePayload("a table outside", with { $0.table = .max >> 1 }, "trailer"),
        HostilePayload("a table at the start", with { $0.table = 0 }, "trailer"),
        HostilePayload("offsets of no size", with { $0.offsetSize = 0 }, "trailer"),
        HostilePayload("references of no size", with { $0.referenceSize = 0 }, "trailer"),
        HostilePayload("references of a great size", with { $0.referenceSize = 255 }, "trailer"),
        HostilePayload("another version", with { $0.mark = "bplist15" }, "version 00"),
        HostilePayload("only the mark", Array("bplist00".utf8), "ends early"),
        HostilePayload(
            "the mark and zeros",
            Array("bplist00".utf8) + [UInt8](repeating: 0, count: 64),
            "trailer"
        ),
        HostilePayload("overlapping objects", overlapping, "overlap"),
    ]

    private static func counted(_ marker: UInt8, _ count: UInt64) -> [UInt8] {
        BinaryPropertyList.weight([marker, 0x13] + count.bytes).bytes
    }

    private static func with(_ change: (inout BinaryPropertyList) -> Void) -> [UInt8] {
        var list = BinaryPropertyList.weight([0x10, 42])
        change(&list)
        return list.bytes
    }

    private static func offset(_ object: Int, _ offset: UInt64) -> [UInt8] {
        with { $0.offsets[object] = offset }
    }

    /// Long lists, each of which begins within the one before.
    private static var overlapping: [UInt8] {
        var list = BinaryPropertyList(objects: [[0xAF, 0x10, 100]])
        list.objects[0] += (1...100).map { UInt8($0) }
        list.objects += (1...100).map { _ in [0x5E] }
        list.objects.append([UInt8](repeating: 0x5E, count: 200))
        return list.bytes
    }
}

extension [UInt8] {
    fileprivate static let max16 = [UInt8](repeating: 0xFF, count: 16)
}
