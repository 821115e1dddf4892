#if os(Linux)
import COpenSSL
package import GodwitCore

/// One TLS connection, of a client or a server. Never waits. Used on one thread.
package final class TLSSession {
    /// The result of a call.
    package enum Step: Sendable, Equatable {
        /// The number of bytes that were read or taken; 0 for a complete handshake.
        case done(Int)
        /// The carrier has to receive something first.
        case wantsRead
        /// The carrier has to take something first. A write has to come again with the same bytes, and may add some.
        case wantsWrite
        /// The peer sends no more; and whether it said so (`close_notify`), or the carrier just ended.
        case ended(notified: Bool)
        case failed(NetworkError.Kind)
    }

    private let context: TLSContext
    private let ssl: OpaquePointer
    let link: CarrierLink
    /// The host of a client's connection.
    let host: TLSHost?
    let pins: PinCheck?
    let tickets: TLSTickets?
    let ticketKey: String
    /// The name that the handshake names; `nil` for an address.
    private(set) var serverName: String?
    private(set) var isComplete = false
    /// Whether the pins refused the server.
    var isRefusedByPins = false
    /// Why TLS failed, in OpenSSL's words.
    package private(set) var reason = "the connection ended"
    /// Why TLS failed; it is of no use any more.
    private(set) var failure: NetworkError.Kind?
    private var ending: Step?
    /// Whether the last read wanted more than there was.
    private var isDrained = true
    private var hasUnsentRecord = false

    /// Prepares a client's connection. The handshake begins with the first call of ``handshake()``.
    ///
    /// - Parameters:
    ///   - host: A host of a URL, whose name or address the certificate has to be for.
    ///   - pins: Checked with each chain that was validated; a mismatch is `.insecure(.pinMismatch)`. A resumed session has none.
    ///   - tickets: Where a session to resume is looked for, and new ones are kept.
    ///   - ticketKey: Differs for hosts, ports and rules that differ.
    package convenience init(
        _ context: TLSContext, host: String, over carrier: any TLSCarrier, pins: PinCheck? = nil,
        tickets: TLSTickets? = nil, ticketKey: String = ""
    ) throws(NetworkError) {
        let name = TLSHost(host)
        try self.init(context, name, carrier, pins, tickets, ticketKey)
        SSL_set_connect_state(ssl)
        do {
            serverName = try name.apply(to: ssl)
        } catch {
            throw NetworkError(.insecure(.handshake("\(host) can't be in a handshake")), phase: .connecting)
        }
        if let ticket = tickets?.take(ticketKey) { SSL_set_session(ssl, ticket.pointer) }
    }

    /// Prepares a server's connection, which the client begins.
    package convenience init(accepting context: TLSContext, over carrier: any TLSCarrier) throws(NetworkError) {
        try self.init(context, nil, carrier, nil, nil, "")
        SSL_set_accept_state(ssl)
    }

    private init(
        _ context: TLSContext, _ host: TLSHost?, _ carrier: any TLSCarrier, _ pins: PinCheck?, _ tickets: TLSTickets?,
        _ ticketKey: String
    ) throws(NetworkError) {
        ERR_clear_error()
        guard let ssl = SSL_new(context.pointer) else { throw TLSContext.failure(TLSReason.take().text) }
        self.context = context
        self.ssl = ssl
        self.pins = pins
        self.tickets = tickets
        self.ticketKey = ticketKey
        self.host = host
        link = CarrierLink(carrier)
        guard let bio = link.makeBIO(), SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque()) == 1 else {
            throw TLSContext.failure("out of memory")
        }
        SSL_set_bio(ssl, bio, bio)
    }

    deinit {
        // Without this, OpenSSL takes the connection for a broken one, and its tickets can't be used.
        if failure == nil { SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN) }
        SSL_free(ssl)
    }

    // MARK: Steps

    /// Continues the handshake; `.done(0)` once it is complete.
    package func handshake() -> Step {
        if isComplete { return .done(0) }
        let step = step { SSL_do_handshake($0) }
        switch step {
        case .done:
            isComplete = true
            // What the server sent with its last message was received with it.
            isDrained = false
            return .done(0)
        case .ended: return fail(.insecure(.handshake("the server closed the connection")))
        case .failed:
            if SSL_session_reused(ssl) == 1 { tickets?.remove(ticketKey) }
            return step
        default: return step
        }
    }

    /// Reads bytes, at most one record.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Step {
        if let ending { return ending }
        if buffer.isEmpty { return .done(0) }
        let step = step { SSL_read($0, buffer.baseAddress, Int32(clamping: buffer.count)) }
        isDrained = false
        switch step {
        case .wantsRead: isDrained = true
        case .ended: ending = step
        default: break
        }
        return step
    }

    /// Encrypts bytes and sends them. Takes some of them, in whole records.
    package func write(_ bytes: UnsafeRawBufferPointer) -> Step {
        if bytes.isEmpty { return .done(0) }
        let step = step { SSL_write($0, bytes.baseAddress, Int32(clamping: bytes.count)) }
        hasUnsentRecord = false
        switch step {
        case .wantsWrite: hasUnsentRecord = true
        case .ended: return .failed(.transport(.connectionLost("the server ended TLS")))
        case .failed(let kind): return .failed(alertBehind(kind))
        default: break
        }
        return step
    }

    /// Tells the server that no more will be sent, as far as the carrier takes it at once.
    package func sendCloseNotify() {
        guard isComplete, failure == nil, !hasUnsentRecord else { return }
        ERR_clear_error()
        link.begin()
        SSL_shutdown(ssl)
        ERR_clear_error()
    }

    private func step(_ run: (OpaquePointer) -> Int32) -> Step {
        if let failure { return .failed(failure) }
        ERR_clear_error()
        link.begin()
        let count = run(ssl)
        if count > 0 { return .done(Int(count)) }
        switch SSL_get_error(ssl, count) {
        case SSL_ERROR_WANT_READ: return .wantsRead
        case SSL_ERROR_WANT_WRITE: return .wantsWrite
        case SSL_ERROR_ZERO_RETURN: return .ended(notified: true)
        default: return end(TLSReason.take())
        }
    }

    private func end(_ reason: TLSReason) -> Step {
        self.reason = reason.text
        if isComplete {
            if link.failure != 0 { return .failed(carrierFailure) }
            if link.hasEnded { return .ended(notified: false) }
        }
        return fail(
            isComplete ? laterFailure(reason) : handshakeFailure(reason, verification: SSL_get_verify_result(ssl)))
    }

    private func fail(_ kind: NetworkError.Kind) -> Step {
        failure = kind
        return .failed(kind)
    }

    /// A server that refuses the client's certificate sends its alert, and closes: a write finds out about the closing first.
    private func alertBehind(_ kind: NetworkError.Kind) -> NetworkError.Kind {
        guard failure == nil, ending == nil else { return kind }
        var byte: UInt8 = 0
        let step = step { SSL_peek($0, &byte, 1) }
        if case .ended = step { ending = step }
        return failure ?? kind
    }
}

extension TLSSession {
    /// The protocol that the server chose (ALPN); `nil` for none.
    package var negotiatedProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &count)
        guard let name, count > 0 else { return nil }
        return String(decoding: UnsafeBufferPointer(start: name, count: Int(count)), as: UTF8.self)
    }

    /// Whether a read may find something without an event of the carrier.
    package var hasBufferedInput: Bool { ending != nil || !isDrained && SSL_has_pending(ssl) == 1 }

    /// Whether the handshake resumed an earlier session.
    package var isResumed: Bool { SSL_session_reused(ssl) == 1 }

    /// The certificate that the peer showed, in DER; `nil` for none.
    package var peerCertificate: Data? {
        guard let certificate = SSL_get1_peer_certificate(ssl) else { return nil }
        defer { X509_free(certificate) }
        var der: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509(certificate, &der)
        guard count > 0, let der else { return nil }
        defer { CRYPTO_free(der, #fileID, #line) }
        return Data(bytes: der, count: Int(count))
    }

    /// The version, such as `TLSv1.3`.
    package var versionName: String { SSL_get_version(ssl).map { String(cString: $0) } ?? "TLS" }
}
#endif
