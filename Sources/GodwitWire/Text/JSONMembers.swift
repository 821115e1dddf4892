/// The members of a JSON object (RFC 8259 section 4) with their values as written.
///
/// Values aren't decoded, so numbers keep every digit. Syntax is checked only as far as needed to find the members;
/// decoding a value validates it.
package struct JSONMembers: Sendable, Hashable {
    /// A member: its decoded name, and its value as written.
    package struct Member: Sendable, Hashable {
        package var name: String
        package var value: [UInt8]

        package init(_ name: String, _ value: [UInt8]) {
            self.name = name
            self.value = value
        }
    }

    package var members: [Member]

    package init(_ members: [Member] = []) {
        self.members = members
    }

    /// Parses an object; `nil` if the text isn't an object, or is truncated.
    package init?(_ text: some Sequence<UInt8>) {
        var scanner = Scanner(bytes: Array(text))
        guard let members = scanner.members(), scanner.isAtEnd else { return nil }
        self.members = members
    }

    /// The value of the last member with this name.
    package subscript(name: String) -> [UInt8]? {
        members.last { $0.name == name }?.value
    }

    /// Removes all members with this name and returns the last one's value.
    package mutating func remove(_ name: String) -> [UInt8]? {
        defer { members.removeAll { $0.name == name } }
        return self[name]
    }

    /// The object as JSON text.
    package var text: [UInt8] {
        var text: [UInt8] = [UInt8(ascii: "{")]
        for (index, member) in members.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            text += Self.quoted(member.name)
            text.append(UInt8(ascii: ":"))
            text += member.value
        }
        return text + [UInt8(ascii: "}")]
    }

    /// A string as JSON (RFC 8259 section 7).
    package static func quoted(_ string: String) -> [UInt8] {
        var text: [UInt8] = [UInt8(ascii: "\"")]
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
            case 0..<0x20: text += Array("\\u00".utf8) + Array(Hexadecimal.encode([byte]).utf8)
            default: text.append(byte)
            }
        }
        return text + [UInt8(ascii: "\"")]
    }
}

extension JSONMembers {
    private struct Scanner {
        let bytes: [UInt8]
        var place = 0

        var isAtEnd: Bool {
            mutating get {
                skipBlanks()
                return place == bytes.count
            }
        }

        mutating func members() -> [Member]? {
            guard take("{") else { return nil }
            var members: [Member] = []
            if take("}") { return members }
            repeat {
                guard let name = name(), take(":"), let value = value() else { return nil }
                members.append(Member(name, value))
            } while take(",")
            return take("}") ? members : nil
        }

        private mutating func skipBlanks() {
            while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
        }

        private mutating func take(_ character: Unicode.Scalar) -> Bool {
            skipBlanks()
            guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
            place += 1
            return true
        }

        private mutating func name() -> String? {
            skipBlanks()
            let start = place
            guard skipString() else { return nil }
            // JSONDecoder handles all escapes.
            return try? JSONDecoder().decode(String.self, from: Data(bytes[start..<place]))
        }

        /// Skips a string; false if there is none here, or it isn't closed.
        private mutating func skipString() -> Bool {
            guard take("\"") else { return false }
            while place < bytes.count {
                let byte = bytes[place]
                place += byte == UInt8(ascii: "\\") ? 2 : 1
                if byte == UInt8(ascii: "\"") { return true }
            }
            place = bytes.count
            return false
        }

        /// The value, up to the comma or brace after it.
        private mutating func value() -> [UInt8]? {
            skipBlanks()
            var (depth, end) = (0, place)
            let start = place
            scan: while place < bytes.count {
                switch bytes[place] {
                case UInt8(ascii: "\""):
                    guard skipString() else { return nil }
                    end = place
                    continue scan
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","):
                    if depth == 0 { break scan }
                    if bytes[place] != UInt8(ascii: ",") { depth -= 1 }
                case 0x20, 0x09, 0x0A, 0x0D:
                    place += 1
                    continue scan
                default: break
                }
                place += 1
                end = place
            }
            return end > start ? Array(bytes[start..<end]) : nil
        }
    }
}
