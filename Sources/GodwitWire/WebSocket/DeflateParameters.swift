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
