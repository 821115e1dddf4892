import Godwit
import GodwitCore
import GodwitSockets
import TestSupport

// What a proxy answers before it passes bytes on.
extension FuzzTarget {
    /// The first byte chooses the proxy and the target. The rest is what the proxy sends on one connection.
    static var proxies: FuzzTarget {
        FuzzTarget(
            name: "proxies",
            words: [
                "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 407 A\r\nProxy-Authenticate: ", "Basic realm=\"r\"\r\n",
                "Digest realm=\"r\", nonce=\"2\", qop=\"auth\", stale=true\r\n", "algorithm=SHA-256", "userhash=true",
                "Content-Length: 3\r\n\r\nno.", "Transfer-Encoding: chunked\r\n\r\n1\r\n.\r\n0\r\n\r\n",
                "Proxy-Authentication-Info: nextnonce=\"3\"\r\n", "\u{5}\0", "\u{5}\u{2}", "\u{1}\0",
                "\u{5}\0\0\u{1}\0\0\0\0\0\0", "\u{5}\0\0\u{3}\u{1}a\0\0", "\u{5}\u{1}\0\u{4}",
            ]
        ) { data, random in
            guard let choice = data.first else { return }
            let bytes = Data(data.dropFirst())
            var whole = ProxyTalk(choice, bytes)
            whole.hear([bytes])
            for pieces in [random.chunks(of: bytes), nil] {
                var talk = ProxyTalk(choice, bytes)
                if let pieces { talk.hear(pieces) } else { talk.hearAsRead(bytes) }
                if talk.events != whole.events {
                    fail("proxies: pieces give \(talk.events.suffix(2)), not \(whole.events.suffix(2))")
                }
            }
        }
    }
}

/// One connection to a proxy: what is sent on it, and how it ends.
private struct ProxyTalk {
    private static let proxies = [
        "http://us%0D%0Aer:s3cret@proxy.example", "http://user:s3cret@proxy.example", "http://proxy.example",
        "socks5h://user:s3cret@proxy.example", "socks5h://proxy.example",
    ].compactMap { ProxyAddress($0) }
    private static let targets = ["host.example", "127.0.0.1", "[2001:db8::1]"].map { HostAndPort(host: $0, port: 443) }

    private let input: Data
    private let isCONNECT: Bool
    private var handshake: ProxyHandshake
    private(set) var events: [String] = []
    private var read = 0
    private var isOver = false

    init(_ choice: UInt8, _ input: Data) {
        let number = Int(choice) % Self.proxies.count
        let proxy = Self.proxies[number]
        isCONNECT = number < 3
        self.input = input
        handshake = ProxyHandshake(
            proxy, ProxyAuthentication(proxy) { "c" }, to: Self.targets[Int(choice) / 5 % Self.targets.count])
        note(sent: handshake.start())
    }

    mutating func hear(_ pieces: [Data]) {
        for piece in pieces where !isOver { hear(piece) }
        end()
    }

    /// As a dial does, which must not take a byte of the tunnel.
    mutating func hearAsRead(_ data: Data) {
        var rest = data
        while !rest.isEmpty, !isOver {
            let limit = handshake.readLimit
            guard limit > 0 else { fail("proxies: nothing may be read") }
            let before = read
            let piece = Data(rest.prefix(limit))
            hear(piece)
            if !isOver, read - before != piece.count { fail("proxies: bytes are left of what had to be the proxy's") }
            if events.last?.hasPrefix("open") == true, read - before != piece.count {
                fail("proxies: the tunnel's bytes were read")
            }
            rest = Data(rest.dropFirst(piece.count))
        }
        end()
    }

    private mutating func hear(_ piece: Data) {
        piece.withUnsafeBytes { bytes in
            var rest = bytes
            while !rest.isEmpty, !isOver {
                let before = rest.count
                let step = handshake.receive(&rest)
                read += before - rest.count
                note(step)
                if case .wait = step, !rest.isEmpty { fail("proxies: bytes are left of an answer that continues") }
            }
        }
    }

    private mutating func note(_ step: ProxyHandshake.Step) {
        switch step {
        case .wait: break
        case .send(let bytes): note(sent: bytes)
        case .open:
            events.append("open after \(read)")
            isOver = true
        case .reconnect:
            note(sent: handshake.start())
            events.append("on another connection")
            isOver = true
        case .failed(let kind):
            events.append("\(kind)")
            isOver = true
            if events.last?.contains("s3cret") == true { fail("proxies: an error holds the password") }
        }
    }

    private mutating func end() {
        if !isOver { note(handshake.end()) }
        // A greeting, two answers, and one on another connection.
        if isCONNECT, events.filter({ $0.hasPrefix("CONNECT") }).count > 4 { fail("proxies: asked for too often") }
    }

    private mutating func note(sent bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        events.append(text)
        let heard = String(decoding: input.prefix(read), as: UTF8.self).lowercased()
        guard isCONNECT else {
            if text.contains("s3cret"), !input.starts(with: [5, 2]) { fail("proxies: the password was not asked for") }
            return
        }
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        guard lines.count == (text.contains("Proxy-Authorization") ? 5 : 4), lines.suffix(2) == ["", ""] else {
            fail("proxies: not one head: \(text)")
        }
        if text.contains("s3cret") { fail("proxies: the password is sent as it is") }
        if text.contains("Basic "), !heard.contains("basic") { fail("proxies: Basic was not asked for") }
        if text.contains("Digest "), !heard.contains("digest") { fail("proxies: Digest was not asked for") }
    }
}
