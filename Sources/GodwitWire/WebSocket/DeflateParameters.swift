/// The negotiated parameters of permessage-deflate (RFC 7692 section 7.1).
package struct DeflateParameters: Sendable, Hashable {
    /// Base-2 logarithm of the client's compression window: 8 to 15.
    package var clientWindowBits = 15
    /// Base-2 logarithm of the server's compression window: 8 to 15.
    package var serverWindowBits = 15
    /// `client_no_context_takeover`: the client resets its window before each message.
    package var clientForgets = false
    /// `server_no_context_takeover`: the server resets its window before each message.
    package var serverForgets = false

    /// Creates the defaults: the largest windows, with context takeover on both sides.
    package init() {}

    /// Creates parameters. Windows are 8 to 15.
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

    /// The client's offer. The server may always ask for a smaller client window.
    package var offer: String {
        var parts = [Self.token]
        parts.append(clientWindowBits < 15 ? "\(Self.clientWindow)=\(clientWindowBits)" : Self.clientWindow)
        if serverWindowBits < 15 { parts.append("\(Self.serverWindow)=\(serverWindowBits)") }
        if clientForgets { parts.append(Self.clientReset) }
        if serverForgets { parts.append(Self.serverReset) }
        return parts.joined(separator: "; ")
    }

    /// The parameters after the server's response to this offer. Throws if the response has a parameter that wasn't
    /// offered.
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
            throw .violation("the server's compression does not match the offer")
        }
        return agreed
    }

    /// The server's choice for a client's offer; `nil` if it can't accept the offer.
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
            case (Self.clientWindow, _?, let bits?):
                mayAskForWindow = true
                agreed.clientWindowBits = bits
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

    /// A window size, 8 to 15, without a leading zero.
    private static func window(_ text: String) throws(WebSocketFault) -> Int {
        guard let bits = Int(text), (8...15).contains(bits), text == "\(bits)" else {
            throw .violation("\"\(text.prefix(10))\" is not a window size of permessage-deflate")
        }
        return bits
    }

    private static func refusal(_ name: String) -> WebSocketFault {
        .violation("permessage-deflate: the parameter \"\(name.prefix(40))\" is unknown or has an invalid value")
    }
}

/// One element of `Sec-WebSocket-Extensions` (RFC 6455 section 9.1).
package struct WebSocketExtension: Sendable, Hashable {
    /// The name of the extension.
    let name: String
    /// The parameters in order. A name may repeat; only ``uniqueParameters()`` rejects that.
    let parameters: [Parameter]

    /// A parameter, with or without a value.
    struct Parameter: Sendable, Hashable {
        package let name: String
        package let value: String?
    }

    /// The elements of the field values; `nil` if one violates the grammar.
    static func list(_ values: [String]) -> [WebSocketExtension]? {
        var list: [WebSocketExtension] = []
        for value in values {
            for element in value.split(separator: ",", omittingEmptySubsequences: true) {
                guard !element.trimmingBlanks.isEmpty else { continue }
                guard let parsed = WebSocketExtension(element) else { return nil }
                list.append(parsed)
            }
        }
        return list
    }

    private init?(_ text: Substring) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(\.trimmingBlanks)
        guard let name = parts.first, Token.isValid(name) else { return nil }
        self.name = name
        var parameters: [Parameter] = []
        for part in parts.dropFirst() {
            guard let parameter = Self.parameter(part) else { return nil }
            parameters.append(parameter)
        }
        self.parameters = parameters
    }

    /// Names and values; throws if a name repeats.
    func uniqueParameters() throws(WebSocketFault) -> [(String, String?)] {
        guard Set(parameters.map(\.name)).count == parameters.count else {
            throw .violation("a parameter of \(name.prefix(40)) is repeated")
        }
        return parameters.map { ($0.name, $0.value) }
    }

    /// A quoted value must be a token after unquoting.
    private static func parameter(_ text: String) -> Parameter? {
        guard let equals = text.firstIndex(of: "=") else {
            return Token.isValid(text) ? Parameter(name: text, value: nil) : nil
        }
        let name = text[..<equals].trimmingBlanks
        var value = text[text.index(after: equals)...].trimmingBlanks
        if value.count >= 2, value.first == "\"", value.last == "\"" { value = String(value.dropFirst().dropLast()) }
        return Token.isValid(name) && Token.isValid(value) ? Parameter(name: name, value: value) : nil
    }
}
