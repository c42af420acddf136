/// The text of a key, compared byte for byte as the keys of messages are.
///
/// Swift strings are equal if they look the same: "é" as one scalar and as two.
struct KeyText: Hashable {
    let text: String

    static func == (left: KeyText, right: KeyText) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        // The pointer stays in this closure.
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
