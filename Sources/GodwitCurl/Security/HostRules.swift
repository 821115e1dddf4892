import GodwitCore

/// An engine's rules for TLS with some hosts, in memory that libcurl can point to. Lives as long as the engine, and so as
/// long as any connection made by them.
///
/// A host's rules never change, and libcurl shares a connection only among exchanges with one host. So a connection that
/// was made without a rule is never used where one holds.
final class HostRules {
    private let authorities: HostTable<AuthorityList>
    private let pins: HostTable<PinCheck>
    private let identities: HostTable<Identity>

    init(_ rules: LoadedRules) {
        authorities = rules.authorities.map { entry, _ in AuthorityList(entry) }
        pins = rules.pins.map { entry, _ in PinCheck(entry) }
        identities = rules.identities.map { entry, _ in Identity(entry) }
    }

    /// What holds for a URL's connections.
    func rule(for url: HTTPURL) -> Rule {
        guard url.scheme == .https else { return Rule() }
        let host = url.host
        return Rule(
            authorities: authorities.value(ofNormalised: host), pins: pins.value(ofNormalised: host),
            identity: identities.value(ofNormalised: host))
    }

    /// The parts that hold for one host. Nil parts leave what holds for all.
    struct Rule {
        var authorities: AuthorityList?
        var pins: PinCheck?
        var identity: Identity?
    }
}
