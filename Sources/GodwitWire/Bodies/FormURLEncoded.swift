/// The grammar of `application/x-www-form-urlencoded` (WHATWG URL section 5).
package enum FormURLEncoded {
    /// The items as a form body: `+` for a space, `name=` for a name without a value.
    package static func encode(_ items: QueryItems) -> String {
        items.items.map { "\(encode($0.name))=\(encode($0.value ?? ""))" }.joined(separator: "&")
    }

    /// One name or value.
    static func encode(_ text: String) -> String {
        let encoded = PercentEncoding.encode(text, allowing: .formValue)
        guard encoded.utf8.contains(0x20) else { return encoded }
        return String(decoding: encoded.utf8.map { $0 == 0x20 ? UInt8(ascii: "+") : $0 }, as: UTF8.self)
    }

    /// The items of a form body. Never fails: a stray `%` is kept, invalid UTF-8 is repaired.
    package static func decode(_ text: String) -> QueryItems {
        var items = QueryItems()
        for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
            let mark = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            items.append(QueryItem(name: decode(pair[..<mark]), value: decode(pair[mark...].dropFirst())))
        }
        return items
    }

    /// One name or value: the inverse of ``encode(_:)-(String)``.
    static func decode(_ text: Substring.UTF8View) -> String {
        PercentEncoding.decodeLeniently(Substring(text), plusIsSpace: true)
    }
}
