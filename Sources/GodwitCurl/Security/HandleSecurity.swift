import GodwitCore

/// Which rules a handle was last told; from one exchange to the next only what differs is set.
struct HandleSecurity {
    private var rule = HostRules.Rule()
    /// What libcurl holds after it refused something is not known, so such a handle sends nothing any more.
    private var isSound = true

    /// Sets what holds for a URL; false where libcurl refused it, and nothing may be sent then.
    mutating func set(for url: HTTPURL, by rules: HostRules, on easy: UnsafeMutableRawPointer) -> Bool {
        let next = rules.rule(for: url)
        isSound =
            isSound && AuthorityList.change(from: rule.authorities, to: next.authorities, on: easy)
            && PinCheck.change(from: rule.pins, to: next.pins, on: easy)
            && Identity.change(from: rule.identity, to: next.identity, on: easy)
        rule = next
        return isSound
    }

    /// The exchange is over.
    func release(_ easy: UnsafeMutableRawPointer) {
        rule.pins?.forget(easy)
    }

    /// Whether the pins refused the exchange's server.
    func wasRefused(_ easy: UnsafeMutableRawPointer) -> Bool {
        rule.pins?.refused.contains(UnsafeRawPointer(easy)) ?? false
    }
}
