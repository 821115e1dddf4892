#if os(Linux)
import GodwitCore

/// Why a command has no reply, or an error as its reply. Contains no key, argument or password.
struct RedisFailure: Error, Sendable, Hashable, CustomStringConvertible {
    enum Kind: Sendable, Hashable {
        /// No connection.
        case unreachable
        /// No reply in time.
        case slow
        /// Redis refuses to write: its memory is full.
        case full
        /// Wrong user or password.
        case refused
        /// A command or key that the user must not use.
        case denied
        /// Not the master, or not the node of the slot.
        case moved(RedisURL.Address?)
        /// The slot is being moved, and this node has the keys already.
        case ask(RedisURL.Address)
        /// The script isn't loaded.
        case unknownScript
        /// Any other error of one command, such as a key of another type.
        case other

        /// Whether every command would fail, not only the one that did.
        var concernsAllCommands: Bool {
            switch self {
            case .unreachable, .slow, .full, .refused, .moved: true
            case .denied, .ask, .unknownScript, .other: false
            }
        }
    }

    let kind: Kind
    let reason: String

    var description: String { reason }

    init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    /// The failure for an error reply, such as `OOM command not allowed …`.
    ///
    /// - Parameter node: The Redis that replied: a redirection without a host means the same host.
    init(reply: String, from node: RedisURL.Address) {
        let code = String(reply.prefix { $0 != " " }.prefix(32))
        switch code {
        case "OOM", "MISCONF": self.init(.full, "Redis refuses to write (\(code))")
        case "NOSCRIPT": self.init(.unknownScript, code)
        case "WRONGPASS", "NOAUTH": self.init(.refused, "Redis refuses the user or the password (\(code))")
        case "NOPERM": self.init(.denied, "Redis refuses a command or a key of this user (\(Self.words(reply)))")
        case "MOVED": self.init(.moved(Self.target(reply, from: node)), "another node has the keys (MOVED)")
        case "ASK":
            self.init(Self.target(reply, from: node).map(Kind.ask) ?? .other, "another node has the keys (ASK)")
        case "READONLY", "UNBLOCKED", "MASTERDOWN": self.init(.moved(nil), "this Redis is a replica (\(code))")
        case "LOADING", "BUSY", "CLUSTERDOWN": self.init(.slow, "Redis isn't ready (\(code))")
        default: self.init(.other, "Redis answers with an error (\(Self.words(reply)))")
        }
    }

    /// The first words of an error, up to where it may repeat a command's arguments, which it quotes.
    private static func words(_ reply: String) -> String {
        let text = reply.prefix { !"'\"`".contains($0) }.prefix(120)
        let printable = text.unicodeScalars.map { (0x20..<0x7F).contains($0.value) ? Character($0) : " " }
        return String(printable).split(separator: " ").joined(separator: " ")
    }

    /// The address in `MOVED 3999 127.0.0.1:6381`, or the same with `ASK`. `?` stands for an unknown host.
    private static func target(_ reply: String, from node: RedisURL.Address) -> RedisURL.Address? {
        guard let text = reply.split(separator: " ").last, let colon = text.lastIndex(of: ":"),
            let port = Int(text[text.index(after: colon)...]), (1...65535).contains(port)
        else { return nil }
        let host = text[..<colon]
        guard host != "?" else { return nil }
        return RedisURL.Address(host: host.isEmpty ? node.host : String(host), port: port)
    }
}
#endif
