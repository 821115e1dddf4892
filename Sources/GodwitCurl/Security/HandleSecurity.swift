import GodwitCore

/// Which rules a handle was last told; from one exchange to the next only what differs is set.
struct HandleSecurity {
    private var rule = HostRules.Rule()

    /// Sets what holds for a URL; false where libcurl refused it, and nothing may be sent then.
    mutating func set(for url: HTTPURL, by rules: HostRules, on easy: UnsafeMutableRawPointer) -> Bool {
        let next = rules.rule(for: url)
        let isSet =
            AuthorityList.change(from: rule.authorities, to: next.authorities, on: easy)
            && PinCheck.change(from: rule.pins, to: next.pins, on: easy)
            && Identity.change(from: rule.identity, to: next.identity, on: easy)
        rule = next
        return isSet
    }
}
