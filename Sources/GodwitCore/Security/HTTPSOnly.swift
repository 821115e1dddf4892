/// Refuses plain http, except to this machine and to named hosts.
///
/// ```swift
/// HTTPSOnly(except: ["printer.example"])
/// ```
///
/// Any other http request throws `.insecure(.plaintext)`, and nothing is sent. Place it inside ``Redirects``, so that it
/// checks every hop. ``Redirects`` always refuses a redirect from https to http.
public struct HTTPSOnly: RequestMiddleware {
    public static let isSynchronous = true

    private var allowed = HostTable<Bool>()

    /// Creates the middleware.
    ///
    /// - Parameter hosts: Names or addresses without ports, compared exactly, without subdomains. An invalid host allows
    ///   nothing. Loopback (`localhost` and its subdomains, 127.0.0.0/8 and `::1`) is always allowed.
    public init(except hosts: some Sequence<String> = []) {
        for host in hosts { allowed[host] = true }
    }

    /// Whether the call is refused.
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
