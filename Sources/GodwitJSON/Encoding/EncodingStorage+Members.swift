extension EncodingStorage {
    /// Appends a member with its key to an object; its value follows.
    @inline(__always)
    func addMember(_ key: String, to object: EncodedNode.Index) -> EncodedNode.Index {
        key.withBytes { addMember($0, to: object) }
    }

    @inline(never)
    private func addMember(_ key: UnsafeBufferPointer<UInt8>, to object: EncodedNode.Index) -> EncodedNode.Index {
        var start = text.count
        text.write(UInt8(ascii: ","))
        let plain = text.writeString(key, escapingSlashes: options.escapesSlashes)
        if !plain {
            text.count = start
            text.write(key)
            start = text.count
            text.write(UInt8(ascii: ","))
            text.writeString(key, escapingSlashes: options.escapesSlashes)
        }
        if options.isPretty { text.write(" : ") } else { text.write(UInt8(ascii: ":")) }
        let member = append(textStart: start, to: object)
        nodes[member].keyLength = key.count
        nodes[member].hasEscapedKey = !plain
        nodes[member].rank = KeyRank.rank(key, sorted: options.sortsKeys)
        return member
    }

    /// Appends an element to an array; its value follows.
    @inline(__always)
    func addElement(to array: EncodedNode.Index) -> EncodedNode.Index {
        let (start, place) = (text.count, nodes[array].count)
        text.write(UInt8(ascii: ","))
        let element = append(textStart: start, to: array)
        nodes[element].isElement = true
        nodes[element].place = EncodedNode.Index(truncatingIfNeeded: place)
        return element
    }

    /// Appends a scalar to an array. Scalars that follow one another share a node.
    @inline(__always)
    func addScalar(to array: EncodedNode.Index, _ write: (EncodedText) -> Void) {
        let last = nodes[array].lastChild
        guard last != EncodedNode.none, nodes[last].shape == .text, nodes[last].textEnd == text.count,
            !options.isPretty
        else { return finish(addElement(to: array), write) }
        text.write(UInt8(ascii: ","))
        write(text)
        nodes[last].textEnd = text.count
        nodes[array].count &+= 1
    }

    /// Appends a member that is a scalar to an object.
    @inline(__always)
    func addScalar(_ key: String, to object: EncodedNode.Index, _ write: (EncodedText) -> Void) {
        finish(addMember(key, to: object), write)
    }

    /// Writes the scalar of a member or element that was just added.
    @inline(__always)
    private func finish(_ node: EncodedNode.Index, _ write: (EncodedText) -> Void) {
        write(text)
        nodes[node].textEnd = text.count
        nodes[node].shape = .text
    }

    /// Writes the scalar of a value that has none yet. One that is a container already stays it, as in Foundation.
    @inline(__always)
    func storeScalar(_ node: EncodedNode.Index, _ write: (EncodedText) -> Void) {
        guard nodes[node].shape == .unset else { return }
        if nodes[node].textEnd != text.count { moveToEnd(node) }
        finish(node, write)
    }

    /// Repeats the key of a value at the end, because other values were encoded in the meantime.
    @inline(never)
    private func moveToEnd(_ node: EncodedNode.Index) {
        let (start, end) = (nodes[node].textStart, nodes[node].textEnd)
        if nodes[node].hasEscapedKey { text.writeCopy(of: nodes[node].keyStart..<start) }
        nodes[node].textStart = text.count
        text.writeCopy(of: start..<end)
    }

    /// The bytes of the key of a member, without escapes.
    func key(of member: EncodedNode.Index) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: text.base + nodes[member].keyStart, count: nodes[member].keyLength)
    }
}

/// Eight bytes that stand for a key in most comparisons.
enum KeyRank {
    /// The first bytes of a key as a number that orders like the text, or a hash of a part of the key.
    @inline(__always)
    static func rank(_ key: UnsafeBufferPointer<UInt8>, sorted: Bool) -> UInt64 {
        let head = first(key)
        if sorted { return head }
        let tail =
            key.count > 8
            ? UnsafeRawBufferPointer(key).loadUnaligned(fromByteOffset: key.count &- 8, as: UInt64.self) : 0
        let mixed = (head ^ UInt64(truncatingIfNeeded: key.count)) &* 0x9E37_79B9_7F4A_7C15
        return (mixed ^ (mixed >> 32) ^ tail) &* 0xD6E8_FEB8_6659_FD93
    }

    @inline(__always)
    private static func first(_ key: UnsafeBufferPointer<UInt8>) -> UInt64 {
        if key.count >= 8 { return UnsafeRawBufferPointer(key).loadUnaligned(as: UInt64.self).bigEndian }
        var rank: UInt64 = 0
        for byte in key { rank = rank << 8 | UInt64(byte) }
        return key.isEmpty ? 0 : rank << UInt64(64 &- 8 &* key.count)
    }
}
