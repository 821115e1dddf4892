#if os(Linux)
import CGodwitCurl
import GodwitCore
import GodwitSockets

/// Which exchanges try HTTP/3, and what they find out (decision 064).
final class HTTP3Routes {
    private let resources: ExchangeResources
    private var quic = QUICConnections()
    private let isWanted: Bool

    init(_ resources: ExchangeResources) {
        self.resources = resources
        let protocols = resources.configuration.protocols
        isWanted = protocols == .http3WhereAvailable || protocols == .http3Only
    }

    // MARK: Choosing

    /// Whether an exchange can't be sent with ``ProtocolPreference/http3Only``.
    func needsTLS(_ exchange: Exchange) -> Bool {
        isWanted && resources.configuration.protocols == .http3Only && exchange.request.url.scheme != .https
    }

    /// Chooses an exchange's version before libcurl gets it.
    func choose(for exchange: Exchange) {
        exchange.route = exchange.sendsTrailers ? .http1 : .configured
        guard isWanted, resources.configuration.protocols == .http3WhereAvailable else { return }
        if let obstacle = obstacle(to: exchange) {
            exchange.http3Fallback = obstacle
            return
        }
        let origin = exchange.request.url.origin
        switch resources.configuration.alternativeServices.decision(for: origin) {
        case .unknown: exchange.http3Fallback = "the server has not announced HTTP/3"
        case .broken: exchange.http3Fallback = "QUIC to this server failed, and is tried again later"
        case .available(let port): exchange.route = route(of: exchange, to: origin, port: port)
        }
    }

    private func route(of exchange: Exchange, to origin: Origin, port: Int) -> VersionRoute {
        if quic.hasConnection(to: origin), !exchange.isWarmUp, !exchange.lacksOpenHTTP3 { return .openHTTP3 }
        let isProbe = !quic.isProbing(origin) && !quic.hasConnection(to: origin)
        if isProbe { quic.probe(origin, by: exchange) }
        return .race(port: port, isProbe: isProbe)
    }

    /// Whether the open HTTP/3 connections could not take an exchange, which then gets another route.
    func choosesAgain(_ exchange: Exchange) -> Bool {
        guard exchange.route == .openHTTP3, exchange.lacksOpenHTTP3, exchange.state.sendCount == 0,
            exchange.failure == nil, !exchange.state.isCancelled
        else { return false }
        choose(for: exchange)
        return true
    }

    /// Why an exchange can't use HTTP/3 whatever the server offers, or nil.
    private func obstacle(to exchange: Exchange) -> String? {
        let url = exchange.request.url
        let configuration = resources.configuration
        if let fault = configuration.features.http3Fault { return "\(configuration.features.library): \(fault)" }
        if url.scheme != .https { return "plain HTTP is not encrypted" }
        if exchange.isUpgrade { return "a connection that leaves HTTP needs HTTP/1.1" }
        if exchange.sendsTrailers { return "trailer fields of a request need HTTP/1.1" }
        if exchange.isWarmUp { return "connections are warmed up over TCP" }
        if configuration.unixSocketPath != nil { return "a Unix domain socket is used" }
        if resources.proxies.proxy(for: url.origin) != nil { return "a proxy is used" }
        if configuration.connectionTargets["\(url.host):\(url.port)"] != nil {
            return "its connections go to another host"
        }
        return nil
    }

    // MARK: Connections

    /// libcurl wants a UDP socket. Returns whether it may have one, with the right port.
    func admitsDatagrams(_ address: UnsafeMutablePointer<curl_sockaddr>, for exchange: Exchange) -> Bool {
        switch exchange.route {
        case .race(let port, _): godwit_set_port(address, UInt16(clamping: port))
        case .configured, .http1: return resources.configuration.protocols == .http3Only
        case .openHTTP3:
            // The connection is gone or full. Without a race, a network that lost UDP would hold the request up.
            exchange.lacksOpenHTTP3 = true
            return false
        }
        return true
    }

    /// libcurl has a UDP socket.
    func opened(_ descriptor: Int32, to origin: Origin) {
        quic.opened(descriptor, to: origin, at: resources.now)
    }

    func received(on descriptor: Int32) {
        if !quic.isEmpty { quic.received(on: descriptor, at: resources.now) }
    }

    func closed(_ descriptor: Int32) {
        if !quic.isEmpty { quic.closed(descriptor) }
    }

    /// A connection is about to carry its first request. Returns why it must not, or nil.
    func settle(_ exchange: Exchange, on transport: ConnectionRaces.Established?) -> NetworkError.Kind? {
        guard isWanted else { return nil }
        let origin = exchange.request.url.origin
        let configuration = resources.configuration
        if case .datagram(let descriptor)? = transport {
            guard let handle = exchange.handle, handle.hasTLSRules else {
                return .unsupported(feature: "TLS rules over QUIC", on: configuration.features.library)
            }
            quic.established(descriptor, at: resources.now)
            resources.poller.note(.shared, of: descriptor)
            configuration.alternativeServices.succeeded(at: origin)
            _ = quic.endProbe(exchange)
        } else if case .stream? = transport, quic.endProbe(exchange) {
            configuration.alternativeServices.failed(at: origin)
            exchange.http3Fallback = "QUIC did not connect before TCP did"
        }
        return nil
    }

    /// An exchange is over, or starts again.
    func release(_ exchange: Exchange) {
        if isWanted { _ = quic.endProbe(exchange) }
    }

    /// Milliseconds since something arrived on a connection; negative if unknown.
    func silence(of descriptor: Int32) -> Int64 {
        quic.silence(of: descriptor, at: resources.now)?.milliseconds ?? godwit_silence(descriptor)
    }

    /// A silent connection is given up: a network that lost UDP would do the same to the next one.
    func gaveUp(_ descriptor: Int32) {
        guard let (origin, _) = quic.silence(of: descriptor, at: resources.now) else { return }
        resources.configuration.alternativeServices.failed(at: origin)
        quic.closed(descriptor)
    }
}
#endif
