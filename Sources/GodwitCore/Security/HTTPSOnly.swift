/// Lets nothing go over plain http, but to this machine and to hosts that are named.
///
/// ```swift
/// HTTPSOnly(except: ["printer.example"])
/// ```
///
/// Any other http request throws `.insecure(.plaintext)`, and nothing is sent. This stands below ``Redirects``, so that
/// every hop is looked at. A redirect from https to http is refused by ``Redirects``, whatever is named here.
public struct HTTPSOnly: RequestMiddleware {
    public static let isSynchronous = true

    private var allowed = HostTable<Bool>()

    /// Makes the rule.
    ///
    /// - Parameter hosts: Names or addresses without ports, each exactly and no name under it. What is no host allows
    ///   nothing. Loopback (`localhost`, names under it, 127.0.0.0/8 and `::1`) is always allowed.
    public init(except hosts: some Sequence<String> = []) {
        for host in hosts { allowed[host] = true }
    }

    /// Whether the call is one that may not be made.
    public func handles(_ call: Call) -> Bool { !allows(call.request.url.origin) }

    /// Throws `.insecure(.plaintext)`.
    public func prepare(_ call: inout Call) throws(NetworkError) {
        throw NetworkError(
            .insecure(.plaintext(host: call.request.url.host)), phase: .middleware, request: call.request)
    }

    package func allows(_ origin: Origin) -> Bool {
        origin.scheme == .https || origin.isLoopback || allowed.value(ofNormalised: origin.host) == true
    }
}
