extension APIClient: CustomDebugStringConvertible {
    /// One line for a log: the base URL, the engine with its version and protocols, and enabled features. Without
    /// secrets.
    ///
    /// ```text
    /// APIClient(https://api.example.com/v1 over Godwit sockets (HTTP/2, HTTP/1.1); cookies in memory; 3 attempts; pins)
    /// ```
    ///
    /// Don't parse it: the wording can change.
    public var debugDescription: String {
        let features = configuration.features.joined(separator: "; ")
        return "APIClient(\(shownBase) over \(engineDescription)\(features.isEmpty ? "" : "; ")\(features))"
    }

    private var shownBase: String {
        switch base {
        case .success(let url): RedactedURL(url).description
        case .failure(let error): "no URL (\(error.reason))"
        }
    }
}

extension ClientConfiguration {
    /// The enabled features, in the order in which they handle a call.
    fileprivate var features: [String] {
        [
            logging.level == .off ? nil : "logs \(logging.level.rawValue)", Self.names(middleware, "middleware"),
            circuitBreaker == nil ? nil : "circuit breaker", coalescesRequests ? "coalesces requests" : nil,
            retry.maximumAttempts > 1 ? "\(retry.maximumAttempts) attempts" : "no retries",
            rateLimit == nil ? nil : "rate limit", concurrency.isLimited ? "concurrency limit" : nil,
            authentication == nil ? nil : "authentication", challenges == nil ? nil : "answers challenges",
            shownCookies, shownCache, shownConnectivity, Self.names(attemptMiddleware, "attempt middleware"),
            tracing == nil ? nil : "tracing", recorder == nil ? nil : "recorder", tls.isEmpty ? nil : shownTLS,
            connections.maximumPerHost.map { "\($0) connections per host" },
        ].compactMap(\.self)
    }

    /// Type names only, as values could hold secrets.
    private static func names(_ middlewares: [any ChainElement], _ place: String) -> String? {
        guard !middlewares.isEmpty else { return nil }
        return "\(place) " + middlewares.map { "\(type(of: $0))" }.joined(separator: ", ")
    }

    private var shownCookies: String {
        switch cookies {
        case .off: "no cookies"
        case .memory: "cookies in memory"
        case .jar: "cookies in a jar"
        }
    }

    private var shownCache: String {
        switch cache {
        case .off: "no cache"
        case .memory: "cache in memory"
        case .store(let store): "cache in \(type(of: store))"
        }
    }

    private var shownConnectivity: String? {
        switch connectivity {
        case .attempt: nil
        case .failFast: "fails without a network"
        case .wait: "waits for a network"
        }
    }

    private var shownTLS: String {
        let parts = [
            tls.pins.isEmpty ? nil : "pins", tls.authorities.isEmpty ? nil : "authorities",
            tls.clientCertificates.isEmpty ? nil : "client certificates",
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}
