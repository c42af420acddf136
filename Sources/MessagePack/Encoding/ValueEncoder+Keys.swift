extension ValueEncoder {
    /// Up to this number of keys, each new key is compared with all; beyond it, hashes are used.
    private static var fewKeys: Int { 12 }

    @inline(__always)
    func writeKey<Key: CodingKey>(_ key: Key) throws {
        if session.keepsKeys, key.intValue == nil {
            try output.writer.append(key.stringValue)
        } else {
            try writeUnusualKey(key)
        }
    }

    private func writeUnusualKey<Key: CodingKey>(_ key: Key) throws {
        let rule = rule(for: Key.self)
        if rule.isDictionary {
            try writeKey(key, rule)
            return
        }
        switch session.options.keyEncodingStrategy {
        case .useDefaultKeys:
            try writeKey(key, rule)
        case .convertToSnakeCase:
            if let number = rule.integer(key) {
                output.writer.append(integer: number)
            } else {
                try output.writer.append(SnakeCase.fromCamelCase(key.stringValue))
            }
        case .custom(let convert):
            try writeKey(convert(codingPath + [key]), rule)
        }
    }

    /// How keys of a type are written; usually all keys of a map have one type.
    private func rule(for keyType: any CodingKey.Type) -> KeyRule {
        if let keyRule, keyRule.keyType == keyType { return keyRule }
        let rule = KeyRule(type: type, keyType: keyType)
        keyRule = rule
        return rule
    }

    private func writeKey(_ key: some CodingKey, _ rule: KeyRule) throws {
        if let number = rule.integer(key) {
            output.writer.append(integer: number)
        } else {
            try output.writer.append(key.stringValue)
        }
    }

    /// Counts a new pair, and removes the earlier one with the same key.
    @inline(__always)
    func addPair(key: Range<Int>) {
        if let earlier = earlierKey(key) {
            // The pair ends where the next one begins.
            let isLast = earlier + 1 == output.keyPositions.count
            let end = isLast ? key.lowerBound : output.keyPositions[earlier + 1]
            output.remove(output.keyPositions[earlier]..<end)
        } else {
            count += 1
        }
        output.keyPositions.append(key.lowerBound)
        if count > Self.fewKeys { noteHash(of: key) }
    }

    /// The index of the last earlier key that equals a new one.
    @inline(__always)
    func earlierKey(_ key: Range<Int>) -> Int? {
        if count > Self.fewKeys, !keysByHash.isEmpty { return earlierKeyByHash(key) }
        return searchedKey(key)
    }

    @inline(__always)
    private func searchedKey(_ key: Range<Int>) -> Int? {
        var index = output.keyPositions.count
        while index > firstKey {
            index -= 1
            output.looks += 1
            if holdsKey(key, at: output.keyPositions[index]) { return index }
        }
        return nil
    }

    /// Whether the same key begins at a position: its first bytes tell its length.
    @inline(__always)
    private func holdsKey(_ key: Range<Int>, at position: Int) -> Bool {
        let bytes = output.writer.bytes
        var offset = 0
        while offset < key.count {
            if bytes[position + offset] != bytes[key.lowerBound + offset] { return false }
            offset += 1
        }
        return true
    }
}

// MARK: Many keys

extension ValueEncoder {
    private func earlierKeyByHash(_ key: Range<Int>) -> Int? {
        guard let index = keysByHash[hash(key)] else { return nil }
        output.looks += 1
        if holdsKey(key, at: output.keyPositions[index]) { return index }
        // Another key has the same hash, which is very rare.
        return searchedKey(key)
    }

    /// Records the hash of the last key, and the first time those of all earlier keys.
    private func noteHash(of key: Range<Int>) {
        let last = output.keyPositions.count - 1
        if keysByHash.isEmpty {
            for index in firstKey..<last {
                let position = output.keyPositions[index]
                keysByHash[hash(position..<endOfKey(at: position))] = index
            }
        }
        keysByHash[hash(key)] = last
    }

    private func hash(_ key: Range<Int>) -> Int {
        var hasher = Hasher()
        unsafe output.writer.bytes.withElements {
            // The key lies within the bytes, and the pointer stays in this closure.
            unsafe hasher.combine(
                bytes: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: $0[key]))
            )
        }
        return hasher.finalize()
    }

    /// The end of a key written by this library: text or an integer.
    private func endOfKey(at position: Int) -> Int {
        let bytes = output.writer.bytes
        guard let header = ValueHeader(bytes[position]) else { return position + 1 }
        let length = (0..<header.lengthSize).reduce(0) { $0 << 8 | Int(bytes[position + 1 + $1]) }
        return position + 1 + header.lengthSize + header.count + length
    }
}
