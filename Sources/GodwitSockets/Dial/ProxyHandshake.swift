#if os(Linux)
package import GodwitCore

/// What a proxy is asked before it passes bytes on, as a value: takes its bytes, and says what follows.
package enum ProxyHandshake {
    /// What follows from bytes of the proxy.
    package enum Step {
        /// More of them.
        case wait
        /// These bytes go out.
        case send([UInt8])
        /// The tunnel is open.
        case open
        /// The proxy is asked again on another connection.
        case reconnect
        case failed(NetworkError.Kind)
    }

    case connect(ConnectHandshake)
    case socks(SOCKSHandshake)

    package init(_ proxy: ProxyAddress, _ authentication: ProxyAuthentication?, to target: HostAndPort) {
        switch proxy.kind {
        case .http, .https: self = .connect(ConnectHandshake(authentication, to: target))
        case .socks5: self = .socks(SOCKSHandshake(proxy, to: target))
        }
    }

    /// The bytes that go out first on a connection.
    package mutating func start() -> [UInt8] {
        switch self {
        case .connect(var handshake):
            defer { self = .connect(handshake) }
            return handshake.start()
        case .socks(let handshake): return handshake.greeting
        }
    }

    /// How many bytes may be read at once. What follows the proxy's answer is the tunnel's.
    package var readLimit: Int {
        if case .connect(let handshake) = self { handshake.readLimit } else { 1 }
    }

    /// Takes bytes from the front.
    package mutating func receive(_ bytes: inout UnsafeRawBufferPointer) -> Step {
        switch self {
        case .connect(var handshake):
            defer { self = .connect(handshake) }
            return handshake.receive(&bytes)
        case .socks(var handshake):
            defer { self = .socks(handshake) }
            return handshake.receive(&bytes)
        }
    }

    /// The proxy closed the connection; or it broke, for this reason.
    package func end(_ reason: String = "the proxy closed the connection") -> Step {
        if case .connect(let handshake) = self, handshake.mayReconnect { return .reconnect }
        return .failed(.transport(.proxy(reason)))
    }
}

/// CONNECT (RFC 9110 section 9.3.6). After a 407, it comes again with credentials, on the same connection if the proxy keeps it.
package struct ConnectHandshake {
    private enum Input {
        case head
        /// The rest of the body of a 407.
        case refusal(Refusal)
    }

    private let place: String
    private let authentication: ProxyAuthentication?
    private var attempt = ProxyAttempt()
    private var reader = ResponseHeadReader()
    private var input = Input.head
    /// Whether the connection answered with a 407 before, so that the proxy may have closed it meanwhile.
    private var isReused = false

    init(_ authentication: ProxyAuthentication?, to target: HostAndPort) {
        place = "\(target.host):\(target.port)"
        self.authentication = authentication
    }

    mutating func start() -> [UInt8] {
        reader = ResponseHeadReader()
        input = .head
        isReused = false
        return head()
    }

    private func head() -> [UInt8] {
        var writer = HeadWriter()
        writer.startRequest("CONNECT", target: place[...])
        writer.field("Host", place)
        if let authorization = authentication?.authorization(.connect, target: place) {
            writer.field("Proxy-Authorization", authorization)
        }
        writer.endHead()
        return writer.bytes
    }

    var readLimit: Int {
        if case .refusal(let refusal) = input { refusal.readLimit } else { 1 }
    }

    /// Whether the connection may end because the proxy doesn't keep it after a 407.
    var mayReconnect: Bool {
        if case .refusal = input { true } else { isReused && reader.isEmpty }
    }

    mutating func receive(_ bytes: inout UnsafeRawBufferPointer) -> ProxyHandshake.Step {
        while !bytes.isEmpty {
            if case .refusal(var refusal) = input {
                let step = refusal.skip(&bytes)
                input = .refusal(refusal)
                switch step {
                case .incomplete: return .wait
                case .end: return ask()
                case .unusable: return .reconnect
                }
            }
            switch reader.read(&bytes) {
            case .incomplete: return .wait
            case .interim: continue
            case .complete(let head) where head.status.isSuccessful:
                authentication?.accepted(head.fields)
                return .open
            case .complete(let head):
                if let step = answer(head) { return step }
            case .invalid(let reason): return .failed(.transport(.proxy("the proxy's answer to CONNECT: \(reason)")))
            case .tooLarge: return .failed(.transport(.proxy("the proxy's answer to CONNECT is too large")))
            }
        }
        return .wait
    }

    /// What follows from another answer; `nil` if its body comes first.
    private mutating func answer(_ head: HTTP1ResponseHead) -> ProxyHandshake.Step? {
        guard head.status.code == 407, let authentication,
            authentication.answers(head.fields, &attempt)
        else { return .failed(.transport(.proxy("the proxy answered CONNECT with \(head.status.code)"))) }
        guard let refusal = Refusal(head, of: .connect) else { return .reconnect }
        if refusal.isOver { return ask() }
        input = .refusal(refusal)
        return nil
    }

    private mutating func ask() -> ProxyHandshake.Step {
        reader.reset()
        input = .head
        isReused = true
        return .send(head())
    }
}

/// The body of a 407, which is skipped to use its connection again.
package struct Refusal {
    enum Step {
        case incomplete, end
        /// The connection can't be used again.
        case unusable
    }

    private enum Remainder {
        case length(Int)
        case chunks(ChunkReader)
    }

    /// The longest one that is skipped, in bytes. A new connection costs less than more of them.
    private static let limit = 64 << 10

    private var remainder: Remainder
    private var count = 0

    /// `nil` if the connection isn't kept after it, or it is too long.
    init?(_ head: HTTP1ResponseHead, of method: HTTPMethod) {
        guard head.keepsAlive, !head.isFramedTwice else { return nil }
        switch head.framing(of: method) {
        case .none: remainder = .length(0)
        case .length(let length) where length <= Self.limit: remainder = .length(Int(length))
        case .chunked: remainder = .chunks(ChunkReader())
        case .length, .untilClose: return nil
        }
    }

    var isOver: Bool {
        if case .length(0) = remainder { true } else { false }
    }

    /// How many bytes certainly belong to it.
    var readLimit: Int {
        if case .length(let left) = remainder { max(left, 1) } else { 1 }
    }

    /// Takes bytes from the front.
    mutating func skip(_ bytes: inout UnsafeRawBufferPointer) -> Step {
        switch remainder {
        case .length(let left):
            let count = min(left, bytes.count)
            bytes = UnsafeRawBufferPointer(rebasing: bytes[count...])
            remainder = .length(left - count)
            return left == count ? .end : .incomplete
        case .chunks(var reader):
            defer { remainder = .chunks(reader) }
            while true {
                let before = bytes.count
                let step = reader.next(&bytes)
                count += before - bytes.count
                switch step {
                case .incomplete: return count > Self.limit ? .unusable : .incomplete
                case .content: if count > Self.limit { return .unusable }
                case .end: return .end
                case .invalid, .tooLarge: return .unusable
                }
            }
        }
    }
}

/// SOCKS 5 with user and password, or without (RFC 1928, RFC 1929).
package struct SOCKSHandshake {
    private enum Stage {
        case method, authentication, reply, open
    }

    private let proxy: ProxyAddress
    private let target: HostAndPort
    private var stage = Stage.method
    private var input: [UInt8] = []

    init(_ proxy: ProxyAddress, to target: HostAndPort) {
        self.proxy = proxy
        self.target = target
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
