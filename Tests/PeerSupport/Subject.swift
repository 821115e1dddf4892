package import Godwit
import GodwitURLSession
import Testing

/// The transports that have to keep the contract. A new one is one more case here.
package enum Subject: String, CaseIterable, Sendable, Codable, CustomTestStringConvertible {
    case sockets, urlSession

    /// The one that is tested: this platform's own, unless `GODWIT_TEST_TRANSPORT` names another.
    ///
    /// URLSession on Linux can end the process; `script/contract-urlsession` runs each of its tests in one of its own.
    package static let allCases = [chosen]

    private static var chosen: Subject {
        ProcessInfo.processInfo.environment["GODWIT_TEST_TRANSPORT"].flatMap(Subject.init) ?? .sockets
    }

    package var testDescription: String { rawValue }

    /// Makes a transport that knows nothing of the environment's proxies.
    package func make(_ configure: (inout Setup) -> Void = { _ in }) throws(NetworkError) -> any HTTPTransport {
        var setup = Setup()
        configure(&setup)
        return switch self {
        case .sockets: try SocketTransport { setup.apply(to: &$0) }
        case .urlSession: try setup.urlSession()
        }
    }
}

/// What tests ask of a transport, in terms that every transport has.
package struct Setup: Sendable {
    package enum Versions: Sendable {
        case automatic, http1, http2PriorKnowledge
    }

    /// Trusted beside the system's authorities.
    package var authorities: URL?
    /// What holds for some hosts alone.
    package var tls = TLSConfiguration()
    package var versions = Versions.automatic
    package var connectionsPerHost: Int?
    /// Bytes of a streamed response that may wait for their reader.
    package var streamBuffer: Int?
    /// `http://host:port`; nil for none.
    package var proxy: String?
    /// Hosts that are reached without the proxy.
    package var proxyExceptions: [String] = []
    /// `host:port` to addresses.
    package var addressOverrides: [String: [String]] = [:]
    package var unixSocketPath: String?
    package var eventLoops = 1
}

extension Setup {
    /// Whether the system trusts the test authority, in the namespace that `script/contract-urlsession` makes.
    private static var isTrusted: Bool { ProcessInfo.processInfo.environment["GODWIT_TEST_TRUSTED"] != nil }

    /// Throws `.unsupported` for what URLSession has no setting for.
    fileprivate func urlSession() throws(NetworkError) -> URLSessionTransport {
        let missing = [
            "authorities of one's own": authorities != nil && !Self.isTrusted,
            "a choice of versions": versions != .automatic,
            "a proxy of one's own": proxy != nil, "addresses for names": !addressOverrides.isEmpty,
            "unix-domain sockets": unixSocketPath != nil,
        ]
        for feature in missing.keys.sorted() where missing[feature] == true {
            throw NetworkError(.unsupported(feature: feature, on: "URLSession"), phase: .building)
        }
        return try URLSessionTransport { settings in
            settings.tls = tls
            settings.maximumConnectionsPerHost = connectionsPerHost
            if let streamBuffer { settings.streamBuffer = streamBuffer }
        }
    }

    fileprivate func apply(to configuration: inout SocketConfiguration) {
        configuration.additionalAuthorities = authorities
        configuration.tls = tls
        configuration.protocols =
            switch versions {
            case .automatic: .http2WhereSecure
            case .http1: .http1
            case .http2PriorKnowledge: .http2PriorKnowledge
            }
        configuration.maximumConnectionsPerHost = connectionsPerHost
        configuration.proxy = proxy.map { .url($0, except: proxyExceptions) } ?? .none
        configuration.addressOverrides = addressOverrides
        configuration.unixSocketPath = unixSocketPath
        configuration.eventLoops = eventLoops
        if let streamBuffer { configuration.streamBuffer = streamBuffer }
    }
}
