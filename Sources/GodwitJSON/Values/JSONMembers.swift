/// The members of a JSON object (RFC 8259 section 4) with their values as written.
///
/// Values aren't decoded, so numbers keep every digit.
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

    /// Parses an object; `nil` if the text is another value, or isn't JSON.
    package init?(_ text: some Sequence<UInt8>) {
        guard let document = try? JSONDocument(parsing: Data(text)), document.root.kind == .object else { return nil }
        members = document.root.members.map { Member($0.key, Array($0.value.source)) }
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
            case 0..<0x20: text += Array((byte < 16 ? "\\u000" : "\\u00").utf8) + Array(String(byte, radix: 16).utf8)
            default: text.append(byte)
            }
        }
        return text + [UInt8(ascii: "\"")]
    }
}
