// What modules that observe clients call things, by OpenTelemetry's conventions for HTTP: the same in each of them.

extension HTTPMethod {
    /// The methods of RFC 9110, PATCH and QUERY. Others come from callers, and each would be a series of its own.
    package static let wellKnown: Set<HTTPMethod> = [
        .get, .head, .post, .put, .delete, .connect, .options, .trace, .patch, HTTPMethod("QUERY") ?? .get,
    ]

    /// The name of a method that isn't known.
    package static let otherLabel = "_OTHER"

    /// As in `http.request.method`.
    package func label(among known: Set<HTTPMethod>) -> String { known.contains(self) ? rawValue : Self.otherLabel }
}

extension Origin {
    /// The host without the brackets of an IPv6 address, as in `server.address`.
    package var address: String {
        host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    }
}

extension HTTPVersion {
    /// As in `network.protocol.version`.
    package var number: String { String(rawValue.dropFirst("HTTP/".count)) }
}

/// The other end of a connection, as in `network.peer.address` and `network.peer.port`.
package struct PeerAddress: Sendable {
    package let address: String
    package let port: Int

    /// Reads `127.0.0.1:443` and `[::1]:443`.
    package init?(_ text: String) {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")),
            let port = Int(text[text.utf8.index(after: colon)...])
        else { return nil }
        address = String(text[..<colon].drop { $0 == "[" }.prefix { $0 != "]" })
        self.port = port
    }
}

extension ClientGauges {
    /// The values of several clients together, and the places of those that are gone. A transport or a token that several
    /// share counts once.
    package static func sum(of clients: [ClientGauges]) async -> (counts: Counts, ended: Set<Int>) {
        var counts = Counts()
        var ended: Set<Int> = []
        var known: Set<ObjectIdentifier> = []
        for (place, client) in clients.enumerated() {
            guard let own = await client.read() else {
                ended.insert(place)
                continue
            }
            counts.waitingCalls += own.waitingCalls
            counts.throttledCalls += own.throttledCalls
            let token = client.refreshes.map { ObjectIdentifier($0) }
            if token.map({ known.insert($0).inserted }) ?? true { counts.tokenRefreshes += own.tokenRefreshes }
            if client.transport.map({ known.insert($0).inserted }) ?? true {
                counts.connections = .sum(counts.connections, own.connections)
            }
        }
        return (counts, ended)
    }
}
