/// A key's text, compared byte for byte as keys of messages are.
///
/// Strings are equal already if they look the same: "é" as one scalar and as two.
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
