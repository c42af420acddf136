extension ValueEncoder {
    /// Up to how many keys each new one is compared with all; beyond, by hashes.
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

    /// How keys of a type are written; most often all of a map are of one.
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

    /// Counts a pair that has been written, and leaves out the earlier one with the same key.
    @inline(__always)
    func addPair(key: Range<Int>) {
        if let earlier = earlierKey(key) {
            replacePair(at: earlier, by: key)
        } else {
            count += 1
        }
        if count > Self.fewKeys { noteHash(of: key) }
        output.keyPositions.append(key.lowerBound)
    }

    private func replacePair(at earlier: Int, by key: Range<Int>) {
        // It ends where the next key begins.
        var end = key.lowerBound
        var index = output.keyPositions.count - 1
        while index >= firstKey, output.keyPositions[index] != earlier {
            end = output.keyPositions[index]
            index -= 1
        }
        output.remove(earlier..<end)
    }

    /// Where the same key begins that was written last before this one.
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
            let position = output.keyPositions[index]
            if holdsKey(key, at: position) { return position }
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
        guard let position = keysByHash[hash(key)] else { return nil }
        if holdsKey(key, at: position) { return position }
        // Another key with the same hash, which hardly ever happens.
        return searchedKey(key)
    }

    private func noteHash(of key: Range<Int>) {
        if keysByHash.isEmpty {
            for index in firstKey..<output.keyPositions.count {
                let position = output.keyPositions[index]
                keysByHash[hash(position..<endOfKey(at: position))] = position
            }
        }
        keysByHash[hash(key)] = key.lowerBound
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

    /// Where a key ends that this library has written: text or an integer.
    private func endOfKey(at position: Int) -> Int {
        let bytes = output.writer.bytes
        guard let header = ValueHeader(bytes[position]) else { return position + 1 }
        let length = (0..<header.lengthSize).reduce(0) { $0 << 8 | Int(bytes[position + 1 + $1]) }
        return position + 1 + header.lengthSize + header.count + length
    }
}
