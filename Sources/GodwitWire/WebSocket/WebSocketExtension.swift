/// One element of `Sec-WebSocket-Extensions` (RFC 6455 section 9.1).
package struct WebSocketExtension: Sendable, Hashable {
    /// The name of the extension.
    package let name: String
    /// Its parameters, in their order; a name may stand twice, which only ``uniqueParameters()`` refuses.
    package let parameters: [Parameter]

    /// A parameter, with or without a value.
    package struct Parameter: Sendable, Hashable {
        package let name: String
        package let value: String?
    }

    /// The elements of the fields' values, or nil where one breaks the grammar.
    package static func list(_ values: [String]) -> [WebSocketExtension]? {
        var list: [WebSocketExtension] = []
        for value in values {
            for element in value.split(separator: ",", omittingEmptySubsequences: true) {
                guard !trimmed(element).isEmpty else { continue }
                guard let parsed = WebSocketExtension(element) else { return nil }
                list.append(parsed)
            }
        }
        return list
    }

    private init?(_ text: Substring) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(Self.trimmed)
        guard let name = parts.first, Self.isToken(name) else { return nil }
        self.name = String(name)
        var parameters: [Parameter] = []
        for part in parts.dropFirst() {
            guard let parameter = Self.parameter(part) else { return nil }
            parameters.append(parameter)
        }
        self.parameters = parameters
    }

    /// Names with values; throws where a name comes twice.
    func uniqueParameters() throws(WebSocketFault) -> [(String, String?)] {
        guard Set(parameters.map(\.name)).count == parameters.count else {
            throw .violation("a parameter of \(name.prefix(40)) is there twice")
        }
        return parameters.map { ($0.name, $0.value) }
    }

    /// A quoted value must be a token once it is unquoted.
    private static func parameter(_ text: Substring) -> Parameter? {
        guard let equals = text.firstIndex(of: "=") else {
            return isToken(text) ? Parameter(name: String(text), value: nil) : nil
        }
        let name = trimmed(text[..<equals])
        var value = trimmed(text[text.index(after: equals)...])
        if value.count >= 2, value.first == "\"", value.last == "\"" { value = value.dropFirst().dropLast() }
        return isToken(name) && isToken(value) ? Parameter(name: String(name), value: String(value)) : nil
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }

    private static func isToken(_ text: Substring) -> Bool {
        Token.isValid(String(text))
    }
}
