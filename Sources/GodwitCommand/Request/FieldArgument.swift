import Godwit

/// The arguments of `-H` and `-F`, in curl's grammar.
enum FieldArgument {
    /// `Name: value`, `Name;`, or `@FILE` with one of them on each line.
    static func items(_ text: String) throws(UsageError) -> [RequestItem] {
        guard text.hasPrefix("@") else { return [try item(text)] }
        let lines: String
        do throws(CommandFailure) {
            lines = try SmallFile.text(String(text.dropFirst()))
        } catch {
            throw UsageError(error.message ?? "the file cannot be read")
        }
        var items: [RequestItem] = []
        for line in lines.split(whereSeparator: \.isNewline) where !line.allSatisfy(\.isWhitespace) {
            items.append(try item(String(line)))
        }
        return items
    }

    private static func item(_ text: String) throws(UsageError) -> RequestItem {
        if let colon = text.firstIndex(of: ":"), colon != text.startIndex {
            let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            let name = String(text[..<colon])
            return value.isEmpty ? .removal(name: name) : .field(name: name, value: String(value))
        }
        guard text.hasSuffix(";"), text.count > 1 else {
            throw UsageError("\"\(text)\" is no field; write 'Name: value'")
        }
        return .field(name: String(text.dropLast()), value: "")
    }

    /// `name=value` or `name=@file`.
    static func part(_ text: String) throws(UsageError) -> RequestItem {
        guard let mark = text.firstIndex(of: "="), mark != text.startIndex else {
            throw UsageError("\"\(text)\" is no part; write name=value or name=@file")
        }
        let (name, value) = (String(text[..<mark]), text[text.index(after: mark)...])
        if value.hasPrefix("@") { return .part(name: name, path: String(value.dropFirst())) }
        return .member(name: name, value: .text(String(value)))
    }
}
