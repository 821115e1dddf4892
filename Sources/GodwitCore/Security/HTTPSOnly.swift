/// Refuses plain http, except to this machine and to named hosts.
///
/// ```swift
/// HTTPSOnly(except: ["printer.example"])
/// ```
///
/// Any other http request throws `.insecure(.plaintext)`, and nothing is sent. Place it inside ``Redirects``, so that it
/// checks every hop. ``Redirects`` always refuses a redirect from https to http.
public struct HTTPSOnly: RequestMiddleware {
    private var allowed = HostTable<Bool>()

    /// Creates a middleware that refuses plain http, except to these hosts.
    ///
    /// - Parameter hosts: Names or addresses without ports, compared exactly, without subdomains. An invalid host allows
    ///   nothing. Loopback (`localhost` and its subdomains, 127.0.0.0/8 and `::1`) is allowed too; through a proxy, only
    ///   without credentials.
    public init(except hosts: some Sequence<String> = []) {
        for host in hosts { allowed[host] = true }
    }

    /// Whether the call is refused.
    public func handles(_ call: Call) -> Bool {
        if call.isConfidential { return false }
        let origin = call.request.url.origin
        return !allows(origin) || origin.isLoopback && call.carriesCredentials && !names(origin)
    }

    /// Throws `.insecure(.plaintext)`.
    public func prepare(_ call: inout Call) throws(NetworkError) {
        throw NetworkError(
            .insecure(.plaintext(host: call.request.url.host)), phase: .middleware, request: call.request)
    }

    /// Whether requests to an origin may be sent if they stay on this machine.
    package func allows(_ origin: Origin) -> Bool {
        origin.isConfidential || names(origin)
    }

    private func names(_ origin: Origin) -> Bool { allowed.value(ofNormalised: origin.host) == true }
}

extension Call {
    /// Whether a header field, announced trailer field or query item of the request is a secret. Cookies count separately:
    /// ``Cookies`` sends only those that plain http may carry.
    fileprivate var carriesCredentials: Bool {
        let names = request.fields.map(\.name) + (request.body?.trailerNames ?? [])
        return !secretQueryItems.isEmpty
            || names.contains { $0 != .cookie && ($0.isSensitive || originBoundFields.contains($0)) }
    }
}
