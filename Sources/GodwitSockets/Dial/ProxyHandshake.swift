#if os(Linux)
import GodwitCore

/// What a proxy is asked before it passes bytes on, as a value: takes its bytes, and says what follows.
enum ProxyHandshake {
    /// What follows from bytes of the proxy.
    enum Step {
        /// More of them.
        case wait
        /// These bytes go out.
        case send([UInt8])
        /// The tunnel is open.
        case open
        case failed(NetworkError.Kind)
    }

    case connect(ConnectHandshake)
    case socks(SOCKSHandshake)

    init(_ proxy: ProxyAddress, to target: HostAndPort) {
        switch proxy.kind {
        case .http, .https: self = .connect(ConnectHandshake(proxy, to: target))
        case .socks5: self = .socks(SOCKSHandshake(proxy, to: target))
        }
    }

    /// The bytes that go out first.
    var greeting: [UInt8] {
        switch self {
        case .connect(let handshake): handshake.greeting
        case .socks(let handshake): handshake.greeting
        }
    }

    /// Takes bytes from the front.
    mutating func receive(_ bytes: inout UnsafeRawBufferPointer) -> Step {
        switch self {
        case .connect(var handshake):
            defer { self = .connect(handshake) }
            return handshake.receive(&bytes)
        case .socks(var handshake):
            defer { self = .socks(handshake) }
            return handshake.receive(&bytes)
        }
    }
}

/// CONNECT (RFC 9110 section 9.3.6).
struct ConnectHandshake {
    let greeting: [UInt8]
    private var reader = ResponseHeadReader()

    init(_ proxy: ProxyAddress, to target: HostAndPort) {
        let place = "\(target.host):\(target.port)"
        var writer = HeadWriter()
        writer.startRequest("CONNECT", target: place[...])
        writer.field("Host", place)
        if let authorization = proxy.authorization { writer.field("Proxy-Authorization", authorization) }
        writer.endHead()
        greeting = writer.bytes
    }

    mutating func receive(_ bytes: inout UnsafeRawBufferPointer) -> ProxyHandshake.Step {
        while !bytes.isEmpty {
            switch reader.read(&bytes) {
            case .incomplete: return .wait
            case .interim: continue
            case .complete(let head) where head.status.isSuccessful: return .open
            case .complete(let head):
                return .failed(.transport(.proxy("the proxy answered CONNECT with \(head.status.code)")))
            case .invalid(let reason): return .failed(.transport(.proxy("the proxy's answer to CONNECT: \(reason)")))
            case .tooLarge: return .failed(.transport(.proxy("the proxy's answer to CONNECT is too large")))
            }
        }
        return .wait
    }
}

/// SOCKS 5 with user and password, or without (RFC 1928, RFC 1929).
struct SOCKSHandshake {
    private enum Stage {
        case method, authentication, reply, open
    }

    private let proxy: ProxyAddress
    private let target: HostAndPort
    private var stage = Stage.method
    private var input: [UInt8] = []

    init(_ proxy: ProxyAddress, to target: HostAndPort) {
        (self.proxy, self.target) = (proxy, target)
    }

    var greeting: [UInt8] { proxy.user == nil ? [5, 1, 0] : [5, 2, 0, 2] }

    mutating func receive(_ bytes: inout UnsafeRawBufferPointer) -> ProxyHandshake.Step {
        while let byte = bytes.first {
            bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
            input.append(byte)
            guard input.count >= needed else { continue }
            let step = step()
            if case .wait = step { continue }
            return step
        }
        return .wait
    }

    /// How many bytes the message that comes has, as far as it is known.
    private var needed: Int {
        switch stage {
        case .method, .authentication: return 2
        case .open: return 0
        case .reply:
            guard input.count >= 5 else { return 5 }
            switch input[3] {
            case 1: return 10
            case 4: return 22
            case 3: return 7 + Int(input[4])
            default: return 5
            }
        }
    }

    private mutating func step() -> ProxyHandshake.Step {
        defer { input = [] }
        switch stage {
        case .method:
            guard input[0] == 5 else { return Self.failed("it is not a SOCKS 5 proxy") }
            if input[1] == 2, let user = proxy.user { return authenticate(user) }
            return input[1] == 0 ? request() : Self.failed("the proxy accepts none of the ways to authenticate")
        case .authentication:
            return input[1] == 0 ? request() : Self.failed("the proxy refused user and password")
        case .reply:
            guard input[0] == 5 else { return Self.failed("the proxy's reply is not one of SOCKS 5") }
            guard input[1] == 0 else { return Self.failed(Self.text(ofReply: input[1])) }
            guard [1, 3, 4].contains(input[3]) else { return Self.failed("the proxy's reply has no address") }
            stage = .open
            return .open
        case .open: return .open
        }
    }

    private mutating func authenticate(_ user: String) -> ProxyHandshake.Step {
        let (name, password) = (Array(user.utf8), Array((proxy.password ?? "").utf8))
        guard (1...255).contains(name.count), password.count <= 255 else {
            return Self.failed("the user or password is too long for SOCKS 5")
        }
        stage = .authentication
        return .send([1, UInt8(name.count)] + name + [UInt8(password.count)] + password)
    }

    private mutating func request() -> ProxyHandshake.Step {
        guard let address = address() else { return Self.failed("the host's name is too long for SOCKS 5") }
        stage = .reply
        return .send(
            [5, 1, 0] + address + [UInt8(truncatingIfNeeded: target.port >> 8), UInt8(truncatingIfNeeded: target.port)])
    }

    private func address() -> [UInt8]? {
        if let address = SocketAddress(target.bareHost, port: target.port) {
            return [address.isIPv6 ? 4 : 1] + address.hostBytes
        }
        let name = Array(target.host.utf8)
        return name.count <= 255 ? [3, UInt8(name.count)] + name : nil
    }

    private static func failed(_ reason: String) -> ProxyHandshake.Step { .failed(.transport(.proxy(reason))) }

    private static func text(ofReply code: UInt8) -> String {
        switch code {
        case 2: "the proxy's rules forbid the connection"
        case 3: "the proxy can't reach the network"
        case 4: "the proxy can't reach the host"
        case 5: "the host refused the proxy's connection"
        case 6: "the proxy's connection took too long"
        case 8: "the proxy doesn't support this type of address"
        default: "the proxy failed (SOCKS reply \(code))"
        }
    }
}
#endif
