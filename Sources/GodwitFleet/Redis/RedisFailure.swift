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
        /// Wrong user or password, or a command that the user must not use.
        case refused
        /// Not the master, or not the node of the slot.
        case moved(RedisURL.Address?)
        /// The slot is being moved, and this node has the keys already.
        case ask(RedisURL.Address)
        /// The script isn't loaded.
        case unknownScript
        /// Any other error, such as a broken script.
        case other
    }

    let kind: Kind
    let reason: String

    var description: String { reason }

    init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    /// The failure for an error reply, such as `OOM command not allowed …`.
    init(reply: String) {
        let code = reply.prefix { $0 != " " }
        // The rest of the text can repeat a command's arguments.
        let safe = String(code.prefix(32))
        switch code {
        case "OOM", "MISCONF": self.init(.full, "Redis refuses to write (\(safe))")
        case "NOSCRIPT": self.init(.unknownScript, safe)
        case "WRONGPASS", "NOAUTH", "NOPERM": self.init(.refused, "Redis refuses the user or the password (\(safe))")
        case "MOVED": self.init(.moved(Self.target(reply)), "another node has the keys (MOVED)")
        case "ASK": self.init(Self.target(reply).map(Kind.ask) ?? .other, "another node has the keys (ASK)")
        case "READONLY", "UNBLOCKED", "MASTERDOWN": self.init(.moved(nil), "this Redis is a replica (\(safe))")
        case "LOADING", "BUSY", "CLUSTERDOWN", "TRYAGAIN": self.init(.slow, "Redis isn't ready (\(safe))")
        default: self.init(.other, "Redis answers with an error (\(safe))")
        }
    }

    /// The address in `MOVED 3999 127.0.0.1:6381`, or the same with `ASK`.
    private static func target(_ reply: String) -> RedisURL.Address? {
        guard let text = reply.split(separator: " ").last,
            let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (1...65535).contains(port), colon != text.startIndex
        else { return nil }
        return RedisURL.Address(host: String(text[..<colon]), port: port)
    }
}
