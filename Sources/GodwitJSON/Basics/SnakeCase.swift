/// The conversion of keys from and to `snake_case`, with the results of Foundation's strategies.
package enum SnakeCase {
    /// The key in camel case.
    package static func camel(_ key: String) -> String {
        var key = key
        return key.withUTF8 { camelOfASCII($0) } ?? camelOfAny(key)
    }

    /// `nil` if the key has other characters than ASCII, or one that Foundation takes for a part of a word.
    private static func camelOfASCII(_ key: UnsafeBufferPointer<UInt8>) -> String? {
        guard key.allSatisfy(isPlain) else { return nil }
        guard let first = key.firstIndex(where: { $0 != underscore }),
            let last = key.lastIndex(where: { $0 != underscore }), key[first...last].contains(underscore)
        else { return String(decoding: key, as: UTF8.self) }
        var converter = Converter(words: first...last)
        return String(unsafeUninitializedCapacity: key.count) { target in
            var count = 0
            for (index, byte) in key.enumerated() {
                guard let converted = converter.next(byte, at: index) else { continue }
                target[count] = converted
                count &+= 1
            }
            return count
        }
    }

    private static func camelOfAny(_ key: String) -> String {
        guard let first = key.firstIndex(where: { $0 != "_" }), let last = key.lastIndex(where: { $0 != "_" }) else {
            return key
        }
        let words = key[first...last].split(separator: "_")
        guard words.count > 1 else { return key }
        let joined = words[0].lowercased() + words[1...].map(\.capitalized).joined()
        return key[..<first] + joined + key[key.index(after: last)...]
    }

    /// Whether a key in JSON without escapes converts to a key, without making strings; `nil` for the
    /// keys that need strings.
    static func equals(_ sent: UnsafeBufferPointer<UInt8>, _ key: UnsafeBufferPointer<UInt8>) -> Bool? {
        guard let first = sent.firstIndex(where: { $0 != underscore }),
            let last = sent.lastIndex(where: { $0 != underscore })
        else { return sent.elementsEqual(key) }
        // A quick answer for most keys: the first letter differs.
        if first == 0, let letter = key.first, sent[0] < 0x80, letter | 0x20 != sent[0] | 0x20 { return false }
        guard sent[first...last].contains(underscore) else { return sent.elementsEqual(key) }
        var converter = Converter(words: first...last)
        var place = 0
        for (index, byte) in sent.enumerated() {
            guard isPlain(byte) else { return nil }
            guard let converted = converter.next(byte, at: index) else { continue }
            guard place < key.count, key[place] == converted else {
                // A mark after an underscore makes it a part of a word.
                return sent[index...].allSatisfy(isPlain) ? false : nil
            }
            place &+= 1
        }
        return place == key.count
    }

    private static func isPlain(_ byte: UInt8) -> Bool { byte < 0x80 && !"'^`".utf8.contains(byte) }

    private static let underscore = UInt8(ascii: "_")

    /// Converts a key byte by byte.
    private struct Converter {
        let words: ClosedRange<Int>
        private var isFirstWord = true
        private var followsLetter = false

        init(words: ClosedRange<Int>) {
            self.words = words
        }

        /// The converted byte; `nil` for an underscore between words.
        mutating func next(_ byte: UInt8, at index: Int) -> UInt8? {
            guard words.contains(index) else { return byte }
            if byte == SnakeCase.underscore {
                isFirstWord = false
                followsLetter = false
                return nil
            }
            guard byte | 0x20 >= UInt8(ascii: "a"), byte | 0x20 <= UInt8(ascii: "z") else {
                followsLetter = false
                return byte
            }
            defer { followsLetter = true }
            return isFirstWord || followsLetter ? byte | 0x20 : byte & ~0x20
        }
    }
}
