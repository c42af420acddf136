internal import SystemSupport

/// Checks that a payload is an XML property list in UTF-8, before it is decoded.
///
/// Foundation's parser recurses into nested elements until the stack overflows, takes the last of two
/// members of the same name, accepts malformed numbers and times, and ignores what follows the end. This
/// refuses all of these, and entities that the payload declares.
struct StrictXMLPropertyList {
    private var reader: XMLReader

    /// Checks a whole payload.
    static func check(_ payload: [UInt8]) throws(PayloadFlaw) {
        var check = Self(reader: try XMLReader(payload))
        try check.prologue()
        try check.reader.expect("<plist")
        for (name, value) in try check.reader.attributes() where (name, value) != ("version", "1.0")
        {
            throw check.reader.flaw("only version=\"1.0\" is known of <plist>")
        }
        try check.reader.expect(">")
        try check.reader.skipSpaceAndComments()
        try check.value(depth: 0)
        try check.reader.skipSpaceAndComments()
        try check.reader.endTag("plist")
        try check.reader.skipSpaceAndComments()
        if !check.reader.isAtEnd { throw check.reader.flaw("something follows its end") }
    }

    private mutating func prologue() throws(PayloadFlaw) {
        _ = reader.skip("\u{FEFF}")
        if reader.skip("<?xml") {
            for (name, value) in try reader.attributes() {
                switch (name, value.lowercased()) {
                case ("version", "1.0"), ("encoding", "utf-8"), ("standalone", "yes"),
                    ("standalone", "no"):
                    continue
                case ("encoding", _): throw reader.flaw("its encoding must be UTF-8")
                default: throw reader.flaw("only XML 1.0 is known")
                }
            }
            try reader.expect("?>")
        }
        try reader.skipSpaceAndComments()
        if reader.skip("<!DOCTYPE") { try documentType() }
        try reader.skipSpaceAndComments()
    }

    private mutating func documentType() throws(PayloadFlaw) {
        reader.skipSpace()
        try reader.expect("plist")
        reader.skipSpace()
        if reader.skip("PUBLIC") {
            try reader.literal()
            try reader.literal()
        } else if reader.skip("SYSTEM") {
            try reader.literal()
        }
        reader.skipSpace()
        if reader.isNext("[") { throw reader.flaw("it declares a document type of its own") }
        try reader.expect(">")
    }

    private mutating func value(depth: Int) throws(PayloadFlaw) {
        if depth > PayloadFlaw.mostDepth { throw .tooDeep(at: reader.position) }
        let start = reader.position
        let (name, isEmpty) = try reader.startTag()
        if let scalar = PropertyListScalar(rawValue: name) {
            try content(of: scalar, isEmpty: isEmpty, at: start)
            return
        }
        switch name {
        case "dict", "array", "string", "true", "false":
            if isEmpty { return }
        default: throw reader.flaw("<\(name)> is no value")
        }
        switch name {
        case "dict": try members(depth: depth)
        case "array":
            try reader.skipSpaceAndComments()
            while !reader.isNext("</") {
                try value(depth: depth + 1)
                try reader.skipSpaceAndComments()
            }
        case "string":
            try check(reader.text(), at: start)
        default: break
        }
        try reader.endTag(name)
    }

    private func check(_ text: [UInt8], at start: Int) throws(PayloadFlaw) {
        if text.elementsEqual(PayloadFlaw.nothing.utf8) { throw .textForNothing(at: start) }
    }

    private mutating func content(
        of scalar: PropertyListScalar,
        isEmpty: Bool,
        at start: Int
    ) throws(PayloadFlaw) {
        let content = isEmpty ? [] : reader.textWithoutMarkup()
        guard scalar.accepts(content) else {
            let text = String(decoding: content, as: UTF8.self).quoted
            throw PayloadFlaw(
                "<\(scalar.rawValue)> must be \(scalar.expectation), not \(text)",
                at: start
            )
        }
        if !isEmpty { try reader.endTag(scalar.rawValue) }
    }

    private mutating func members(depth: Int) throws(PayloadFlaw) {
        var names: Set<[UInt8]> = []
        try reader.skipSpaceAndComments()
        while !reader.isNext("</") {
            let start = reader.position
            let (element, isEmpty) = try reader.startTag()
            guard element == "key" else { throw reader.flaw("a key is expected") }
            let name = isEmpty ? [] : try reader.text()
            try check(name, at: start)
            if !isEmpty { try reader.endTag("key") }
            if !names.insert(name).inserted {
                throw PayloadFlaw("two members have the same name", at: start)
            }
            try reader.skipSpaceAndComments()
            try value(depth: depth + 1)
            try reader.skipSpaceAndComments()
        }
    }
}
