extension ValueDecoder {
    /// How many keys a look-up tries before it makes an index of all.
    private static var fewKeys: Int { 16 }

    /// The position of a key's value on the tape; nil if the map has no such key.
    @inline(__always)
    func value(of key: some CodingKey) -> Int? {
        if let keyIndex { return keyIndex.value(of: key) }
        let map = message.tape[index]
        if map.count == 0 { return nil }
        var text = key.stringValue
        // The pointer stays in this closure.
        let found = text.withUTF8 { unsafe search(unsafe $0, map) }
        if found == nil, keyIndex != nil || map.count > UInt32(Self.fewKeys) {
            return indexed().value(of: key)
        }
        return found
    }

    private func indexed() -> KeyIndex {
        let made = keyIndex ?? KeyIndex(ofTextKeysIn: index, message: message)
        keyIndex = made
        return made
    }

    /// Searches the keys after the last one found, but not many.
    private func search(_ text: UnsafeBufferPointer<UInt8>, _ map: TapeEntry) -> Int? {
        let tape = message.tape
        var key = lastKey
        for _ in 0..<min(Int(map.count), Self.fewKeys) {
            if unsafe isText(text, tape[key]) {
                lastKey = key
                return key + 1
            }
            key = tape.keyAfter(key)
            if key == Int(map.end) { key = index + 1 }
        }
        return nil
    }

    @inline(__always)
    private func isText(_ text: UnsafeBufferPointer<UInt8>, _ entry: TapeEntry) -> Bool {
        guard text.count == Int(entry.count) else { return false }
        let start = Int(entry.start)
        for offset in 0..<text.count
        where unsafe text[offset] != message.bytes[start + offset] {
            return false
        }
        return true
    }
}
