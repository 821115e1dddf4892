#if os(Linux)
import CGodwitCurl
import GodwitCore
import GodwitSockets

/// The TLS rules that a handle was last given. From one exchange to the next only differences are set.
struct HandleSecurity {
    private var rule = HostRules.Rule()
    /// What libcurl holds after it refused an option is unknown, so such a handle sends nothing any more.
    private var isSound = true
    /// Released after the handle, which uses them.
    private var sessions: TLSSessions
    private var trust: TrustStores?
    /// The rules for connections, set by ``godwit_set_tls_rules``; nil before the first exchange with TLS.
    private var applied: UnsafeMutablePointer<godwit_tls_rules>?

    init(_ easy: UnsafeMutableRawPointer, _ sessions: TLSSessions) {
        self.sessions = sessions
        sessions.attach(easy)
    }

    /// Sets the rules for a URL; false if libcurl refused them, and nothing may be sent then.
    mutating func set(
        for url: HTTPURL, _ rules: HostRules?, _ engine: EngineTrust, on easy: UnsafeMutableRawPointer
    ) -> Bool {
        guard rules != nil || url.scheme == .https else { return true }
        let next = rules?.rule(for: url) ?? HostRules.Rule()
        isSound =
            isSound && follow(engine.stores, engine.sessions, on: easy)
            && (trust != nil || AuthorityList.change(from: rule.authorities, to: next.authorities, on: easy))
            && Identity.change(from: rule.identity, to: next.identity, on: easy)
        rule = next
        if let applied {
            applied.pointee.store = trust.flatMap { $0.store(for: next.authorities) }
            applied.pointee.check = next.pins?.check
        }
        return isSound
    }

    /// Whether new connections get rules, rather than libcurl's own verification alone.
    var hasRules: Bool { applied.map { $0.pointee.store != nil || $0.pointee.check != nil } ?? false }

    /// The exchange is over.
    func release(_ easy: UnsafeMutableRawPointer) {
        rule.pins?.forget(easy)
    }

    /// The handle was freed.
    func free() {
        applied?.deallocate()
    }

    /// Whether the pins refused the exchange's server.
    func wasRefused(_ easy: UnsafeMutableRawPointer) -> Bool {
        rule.pins?.refused.contains(UnsafeRawPointer(easy)) ?? false
    }

    /// Uses the engine's stores and sessions from now on.
    private mutating func follow(
        _ stores: TrustStores?, _ sessions: TLSSessions, on easy: UnsafeMutableRawPointer
    ) -> Bool {
        if sessions !== self.sessions {
            sessions.attach(easy)
            self.sessions = sessions
        }
        guard applied == nil || stores !== trust else { return true }
        if applied == nil, !apply(on: easy) { return false }
        guard let stores, stores !== trust else { return true }
        // A libcurl that takes no blob still reads its bundle.
        guard godwit_trust_only(easy, stores.marker.pointer) == CURLE_OK else { return true }
        trust = stores
        applied?.pointee.marker = stores.marker.pointer?.pointee.certificate
        return true
    }

    private mutating func apply(on easy: UnsafeMutableRawPointer) -> Bool {
        guard godwit_can_check_chains() != 0 else { return true }
        let rules = UnsafeMutablePointer<godwit_tls_rules>.allocate(capacity: 1)
        rules.initialize(to: godwit_tls_rules())
        applied = rules
        return godwit_set_tls_rules(easy, rules) == CURLE_OK
    }
}

extension TrustStores {
    fileprivate func store(for list: AuthorityList?) -> UnsafeMutableRawPointer? {
        list.map { authorities[$0.number].pointer } ?? base.pointer
    }
}

/// The end of a TLS connection: whether the server announced it, or someone on the path may have cut the connection.
final class TLSEnd {
    private let pointer: OpaquePointer

    /// The end of the connection that a transfer runs on; nil if TLS is not our OpenSSL's.
    init?(of easy: UnsafeMutableRawPointer) {
        guard let pointer = godwit_tls_end_of(easy) else { return nil }
        self.pointer = pointer
    }

    deinit {
        godwit_tls_end_release(pointer)
    }

    /// Whether the server sent `close_notify` (RFC 8446 section 6.1).
    var isNotified: Bool { godwit_tls_end_is_notified(pointer) != 0 }
}
#endif
