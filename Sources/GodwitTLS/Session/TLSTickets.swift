#if os(Linux)
import COpenSSL

/// Sessions to resume, which makes a second connection to a host cheap. Used on one thread.
///
/// Kept by a key of the host, the port and its rules: a session is resumed only under the rules that it was verified by.
package final class TLSTickets {
    /// The newest sessions of one key, the newest last.
    private struct Entry {
        var tickets: [TLSTicket] = []
        var lastUse = 0
    }

    private static let mostKeys = 256
    /// A server of TLS 1.3 sends two with each connection.
    private static let mostPerKey = 4

    private var entries: [String: Entry] = [:]
    private var time = 0

    package init() {}

    /// Forgets all sessions.
    package func removeAll() { entries = [:] }

    /// The newest session. One of TLS 1.3 is taken out, as using it twice would let an observer link connections (RFC 8446
    /// appendix C.4).
    func take(_ key: String) -> TLSTicket? {
        guard let ticket = entries[key]?.tickets.last else { return nil }
        touch(key)
        if ticket.isForOneUse { entries[key]?.tickets.removeLast() }
        return ticket
    }

    func add(_ ticket: TLSTicket, for key: String) {
        var tickets = ticket.isForOneUse ? entries[key]?.tickets ?? [] : []
        if tickets.count >= Self.mostPerKey { tickets.removeFirst() }
        tickets.append(ticket)
        entries[key, default: Entry()].tickets = tickets
        touch(key)
        if entries.count > Self.mostKeys { removeOldest() }
    }

    /// Forgets the sessions of a key, as one of them was of no use.
    func remove(_ key: String) { entries[key] = nil }

    private func touch(_ key: String) {
        time += 1
        entries[key]?.lastUse = time
    }

    private func removeOldest() {
        guard let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
        entries[oldest.key] = nil
    }
}

/// A session that can be resumed (OpenSSL's SSL_SESSION).
final class TLSTicket {
    let pointer: OpaquePointer

    /// Takes the pointer's reference over.
    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        SSL_SESSION_free(pointer)
    }

    var isForOneUse: Bool { SSL_SESSION_get_protocol_version(pointer) >= TLS1_3_VERSION }
}
#endif
