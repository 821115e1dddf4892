/// `publishedAt` as `published_at`, by the rules of Foundation's `convertToSnakeCase`: a word begins at an
/// uppercase letter after the first character; of several uppercase letters, also at the last if a lowercase letter
/// follows.
extension SnakeCase {
    private enum Letter {
        case upper, lower, other
    }

    package static func snake(_ name: String) -> String {
        name.withBytes { snakeOfASCII($0) } ?? snakeOfAny(name)
    }

    /// `nil` if the name isn't ASCII.
    private static func snakeOfASCII(_ name: UnsafeBufferPointer<UInt8>) -> String? {
        guard name.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "\r") }) else { return nil }
        var starts = WordStarts(count: name.count)
        // At most one underscore for each letter.
        return String(unsafeUninitializedCapacity: name.count &* 2) { target in
            var (length, next) = (0, starts.next(in: name, letter))
            for place in name.indices {
                if place == next {
                    target[length] = UInt8(ascii: "_")
                    length &+= 1
                    next = starts.next(in: name, letter)
                }
                let byte = name[place]
                target[length] = letter(byte) == .upper ? byte | 0x20 : byte
                length &+= 1
            }
            return length
        }
    }

    private static func snakeOfAny(_ name: String) -> String {
        let characters = Array(name)
        var starts = WordStarts(count: characters.count)
        var words: [String] = []
        var begin = 0
        while begin < characters.count {
            let end = starts.next(in: characters, letter) ?? characters.count
            words.append(String(characters[begin..<end]).lowercased())
            begin = end
        }
        return words.joined(separator: "_")
    }

    @inline(__always)
    private static func letter(_ byte: UInt8) -> Letter {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): .upper
        case UInt8(ascii: "a")...UInt8(ascii: "z"): .lower
        default: .other
        }
    }

    private static func letter(_ character: Character) -> Letter {
        for scalar in character.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .titlecaseLetter: return .upper
            case .lowercaseLetter: return .lower
            default: continue
            }
        }
        return .other
    }

    /// The places where words begin, in order, without the first.
    private struct WordStarts {
        let count: Int
        /// Where the search for the next uppercase letter begins.
        private var place = 1
        /// The start of the word after several uppercase letters.
        private var pending: Int?

        init(count: Int) {
            self.count = count
        }

        @inline(__always)
        mutating func next<Name: RandomAccessCollection<Element>, Element>(
            in name: Name, _ letter: (Element) -> Letter
        ) -> Int? where Name.Index == Int {
            if let start = pending {
                pending = nil
                return start
            }
            guard let upper = (min(place, count)..<count).first(where: { letter(name[$0]) == .upper }) else {
                return nil
            }
            guard let lower = (upper..<count).first(where: { letter(name[$0]) == .lower }) else {
                place = count
                return upper
            }
            if lower > upper &+ 1 { pending = lower &- 1 }
            place = lower &+ 1
            return upper
        }
    }
}
