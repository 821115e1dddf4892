import Godwit
import GodwitCore
import GodwitSupport
import GodwitTesting

/// A proxy on loopback: answers requests in absolute form itself, and opens tunnels by CONNECT or SOCKS 5.
package final class ProxyPeer: Sendable {
    package struct Rules: Sendable {
        /// The challenges of a 407, with `%n` for a nonce. Without any, no credentials are asked for.
        package var challenges: [String] = []
        package var user = "reader"
        package var password = "s3cret"
        /// How often a nonce may be used.
        package var usesPerNonce = Int.max
        /// Whether a connection stays open after a 407.
        package var keepsRefused = true
        /// The body of a 407.
        package var refusal = "Content-Length: 2\r\n\r\nno"
        /// Whether it asks for the body with a 100 before it answers with a 407.
        package var readsBodyFirst = false
        package var socksMethod: UInt8 = 0
        package var socksReply: UInt8 = 0

        package init() {}
    }

    private struct State {
        var heads: [String] = []
        var socks: [[UInt8]] = []
        var bodies: [String] = []
        var nonces: [String: Int] = [:]
    }

    private let listener: Listener
    private let rules: Rules
    private let state = Watched(State())

    package init(_ configure: (inout Rules) -> Void = { _ in }) throws {
        var rules = Rules()
        configure(&rules)
        self.rules = rules
        listener = try Listener()
        listener.serve { [weak self] connection in self?.converse(connection) }
    }

    package var port: Int { listener.url.port }
    package var connections: Int { listener.connections }
    /// The heads of requests and CONNECTs.
    package var heads: [String] { state.value.heads }
    /// The requests of SOCKS.
    package var socks: [[UInt8]] { state.value.socks }
    /// The bodies that arrived.
    package var bodies: [String] { state.value.bodies }

    /// The proxy's URL, with its user and password.
    package func url(_ scheme: String, password: String? = nil) -> String {
        "\(scheme)://\(rules.user):\(password ?? rules.password)@127.0.0.1:\(port)"
    }

    private func converse(_ connection: Listener.Connection) {
        var first: UInt8 = 0
        guard connection.peek(&first) else { return }
        if first == 5 { return talkSOCKS(connection) }
        while let head = connection.readHead() {
            state.update { $0.heads.append(head) }
            guard answer(head, connection) else { return }
        }
    }

    /// Answers a request; `false` if the connection ends.
    private func answer(_ head: String, _ connection: Listener.Connection) -> Bool {
        let words = head.prefix { $0 != "\r\n" }.split(separator: " ").map(String.init)
        guard words.count == 3 else { return false }
        let isExpecting = head.contains("Expect: 100-continue")
        if isExpecting, rules.readsBodyFirst { connection.write("HTTP/1.1 100 Continue\r\n\r\n") }
        if !isExpecting || rules.readsBodyFirst, !readBody(head, connection) { return false }
        if let refusal = refusal(of: head, method: words[0], target: words[1]) {
            connection.write(refusal)
            return rules.keepsRefused && !(isExpecting && !rules.readsBodyFirst)
        }
        if isExpecting, !rules.readsBodyFirst {
            connection.write("HTTP/1.1 100 Continue\r\n\r\n")
            guard readBody(head, connection) else { return false }
        }
        guard words[0] == "CONNECT" else {
            let text = "proxied \(words[1])"
            return connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
        }
        guard let port = words[1].split(separator: ":").last.flatMap({ Int($0) }) else { return false }
        relay(connection, to: port, after: "HTTP/1.1 200 Connection established\r\n\r\n".utf8)
        return false
    }

    private func readBody(_ head: String, _ connection: Listener.Connection) -> Bool {
        if head.contains("Transfer-Encoding: chunked") {
            guard let body = connection.readText(through: "0\r\n\r\n") else { return false }
            state.update { $0.bodies.append(body) }
        } else if let length = Self.value("Content-Length", in: head).flatMap({ Int($0) }), length > 0 {
            guard let body = connection.read(length) else { return false }
            state.update { $0.bodies.append(String(decoding: body, as: UTF8.self)) }
        }
        return true
    }

    private static func value(_ name: String, in head: String) -> String? {
        let start = "\r\n\(name): "
        guard let mark = head.firstRange(of: start) else { return nil }
        return String(head[mark.upperBound...].prefix { $0 != "\r\n" })
    }

    private func relay(_ connection: Listener.Connection, to port: Int, after reply: some Sequence<UInt8>) {
        guard let server = Listener.Connection(to: port) else { return }
        connection.write(reply)
        SystemThread { server.pass(to: connection) }?.detach()
        connection.pass(to: server)
    }

    // MARK: Credentials

    /// The 407; `nil` if the credentials are right or not asked for.
    private func refusal(of head: String, method: String, target: String) -> String? {
        guard !rules.challenges.isEmpty else { return nil }
        let given = Self.value("Proxy-Authorization", in: head).flatMap { AuthenticationChallenge.parse([$0]).first }
        switch given?.scheme {
        case "basic":
            let pair = Data("\(rules.user):\(rules.password)".utf8).base64EncodedString()
            if given?.token68 == pair { return nil }
        case "digest":
            guard let parameters = given?.parameters, parameters["uri"] == target,
                parameters["response"] == expected(parameters, method)
            else { break }
            let isFresh = state.update { state in
                guard let nonce = parameters["nonce"], let uses = state.nonces[nonce], uses < rules.usesPerNonce else {
                    return false
                }
                state.nonces[nonce] = uses + 1
                return true
            }
            return isFresh ? nil : challenge(isStale: true)
        default: break
        }
        return challenge(isStale: false)
    }

    private func challenge(isStale: Bool) -> String {
        let nonce = state.update { state in
            let nonce = "n\(state.nonces.count)"
            state.nonces[nonce] = 0
            return nonce
        }
        let fields = rules.challenges.map { challenge in
            let text = challenge.split(separator: "%n", omittingEmptySubsequences: false).joined(separator: nonce)
            return "Proxy-Authenticate: \(text)\(isStale && challenge.hasPrefix("Digest") ? ", stale=true" : "")\r\n"
        }
        let closing = rules.keepsRefused ? "" : "Connection: close\r\n"
        return "HTTP/1.1 407 Proxy Authentication Required\r\n\(fields.joined())\(closing)\(rules.refusal)"
    }

    /// By RFC 7616 section 3.4.1.
    private func expected(_ given: [String: String], _ method: String) -> String {
        func hash(_ text: String) -> String {
            let isMD5 = given["algorithm"]?.hasPrefix("MD5") ?? true
            return Hexadecimal.encode(isMD5 ? MD5.hash(text.utf8) : SHA256.digest(text.utf8))
        }
        let key = hash("\(rules.user):\(given["realm"] ?? ""):\(rules.password)")
        let question = hash("\(method):\(given["uri"] ?? "")")
        return hash(
            "\(key):\(given["nonce"] ?? ""):\(given["nc"] ?? ""):\(given["cnonce"] ?? ""):auth:\(question)")
    }

    // MARK: SOCKS 5

    private func talkSOCKS(_ connection: Listener.Connection) {
        guard let start = connection.read(2), let methods = connection.read(Int(start[1])) else { return }
        let method = methods.contains(rules.socksMethod) ? rules.socksMethod : 0xFF
        connection.write([5, method])
        if method == 2 {
            guard let user = readString(connection, skipping: 1), let password = readString(connection) else { return }
            let isRight = (user, password) == (rules.user, rules.password)
            connection.write([1, isRight ? 0 : 1])
            guard isRight else { return }
        }
        guard method != 0xFF, let head = connection.read(4) else { return }
        let length = head[3] == 3 ? connection.read(1).map { Int($0[0]) } : head[3] == 4 ? 16 : 4
        guard let length, let address = connection.read(length), let port = connection.read(2) else { return }
        state.update { $0.socks.append(head + address) }
        let reply: [UInt8] = [5, rules.socksReply, 0, 1, 127, 0, 0, 1, 0, 80]
        guard rules.socksReply == 0 else {
            connection.write(reply)
            return
        }
        relay(connection, to: Int(port[0]) << 8 | Int(port[1]), after: reply)
    }

    private func readString(_ connection: Listener.Connection, skipping count: Int = 0) -> String? {
        guard count == 0 || connection.read(count) != nil, let length = connection.read(1) else { return nil }
        return connection.read(Int(length[0])).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension Listener.Connection {
    /// The first byte that arrives, which stays to be read; `false` at the end.
    fileprivate func peek(_ byte: inout UInt8) -> Bool { receive(&byte, peeking: true) }

    /// So many bytes; `nil` if the connection ends before.
    fileprivate func read(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        for _ in 0..<count {
            var byte: UInt8 = 0
            guard receive(&byte, peeking: false) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}
