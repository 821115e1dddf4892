/// What two peers agreed on for permessage-deflate (RFC 7692 section 7.1).
package struct DeflateParameters: Sendable, Hashable {
    /// Base-2 logarithms of the windows that each side compresses with: 8 to 15.
    package var clientWindowBits = 15
    /// The same of the server.
    package var serverWindowBits = 15
    /// Whether a side forgets what it sent before each message.
    package var clientForgets = false
    /// The same of the server.
    package var serverForgets = false

    /// Makes the largest windows, with memory on both sides.
    package init() {}

    /// Makes parameters; windows are 8 to 15.
    package init(clientWindowBits: Int, serverWindowBits: Int, clientForgets: Bool, serverForgets: Bool) {
        self.clientWindowBits = clientWindowBits
        self.serverWindowBits = serverWindowBits
        self.clientForgets = clientForgets
        self.serverForgets = serverForgets
    }

    static let token = "permessage-deflate"
    private static let clientWindow = "client_max_window_bits"
    private static let serverWindow = "server_max_window_bits"
    private static let clientReset = "client_no_context_takeover"
    private static let serverReset = "server_no_context_takeover"

    /// What a client offers. The server may always ask it for a smaller window.
    package var offer: String {
        var parts = [Self.token]
        parts.append(clientWindowBits < 15 ? "\(Self.clientWindow)=\(clientWindowBits)" : Self.clientWindow)
        if serverWindowBits < 15 { parts.append("\(Self.serverWindow)=\(serverWindowBits)") }
        if clientForgets { parts.append(Self.clientReset) }
        if serverForgets { parts.append(Self.serverReset) }
        return parts.joined(separator: "; ")
    }

    /// What the server answered to this offer. Throws a reason where it asks for something that was not offered.
    package func agreed(to answer: WebSocketExtension) throws(WebSocketFault) -> DeflateParameters {
        var agreed = self
        agreed.serverWindowBits = 15
        agreed.serverForgets = false
        for (name, value) in try answer.uniqueParameters() {
            switch (name, value) {
            case (Self.serverReset, nil): agreed.serverForgets = true
            case (Self.clientReset, nil): agreed.clientForgets = true
            case (Self.serverWindow, let bits?): agreed.serverWindowBits = try Self.window(bits)
            case (Self.clientWindow, let bits?): agreed.clientWindowBits = min(clientWindowBits, try Self.window(bits))
            default: throw Self.refusal(name)
            }
        }
        guard agreed.serverWindowBits <= serverWindowBits, agreed.serverForgets || !serverForgets else {
            throw .violation("the server compresses otherwise than it was asked to")
        }
        return agreed
    }

    /// What a server agrees to, of a client's offer and its own wishes; nil where the offer is not one it can take.
    package func accepted(of offer: WebSocketExtension) -> (parameters: DeflateParameters, answer: String)? {
        guard offer.name == Self.token, let asked = try? offer.uniqueParameters() else { return nil }
        var agreed = DeflateParameters()
        agreed.serverForgets = serverForgets
        agreed.clientForgets = clientForgets
        agreed.serverWindowBits = serverWindowBits
        var mayAskForWindow = false
        for (name, value) in asked {
            switch (name, value, value.flatMap { try? Self.window($0) }) {
            case (Self.serverReset, nil, _): agreed.serverForgets = true
            case (Self.clientReset, nil, _): agreed.clientForgets = true
            case (Self.serverWindow, _?, let bits?): agreed.serverWindowBits = min(bits, serverWindowBits)
            case (Self.clientWindow, nil, _): mayAskForWindow = true
            case (Self.clientWindow, _?, let bits?): (mayAskForWindow, agreed.clientWindowBits) = (true, bits)
            default: return nil
            }
        }
        if mayAskForWindow { agreed.clientWindowBits = min(agreed.clientWindowBits, clientWindowBits) }
        return (agreed, agreed.answer)
    }

    private var answer: String {
        var parts = [Self.token]
        if clientWindowBits < 15 { parts.append("\(Self.clientWindow)=\(clientWindowBits)") }
        if serverWindowBits < 15 { parts.append("\(Self.serverWindow)=\(serverWindowBits)") }
        if clientForgets { parts.append(Self.clientReset) }
        if serverForgets { parts.append(Self.serverReset) }
        return parts.joined(separator: "; ")
    }

    /// 8 to 15, without a leading zero.
    private static func window(_ text: String) throws(WebSocketFault) -> Int {
        guard let bits = Int(text), (8...15).contains(bits), text == "\(bits)" else {
            throw .violation("\"\(text.prefix(10))\" is not a window of permessage-deflate")
        }
        return bits
    }

    private static func refusal(_ name: String) -> WebSocketFault {
        .violation("permessage-deflate: the parameter \"\(name.prefix(40))\" is unknown, or has no right value")
    }
}

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
