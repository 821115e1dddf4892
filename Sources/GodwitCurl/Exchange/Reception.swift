import CGodwitCurl
import GodwitCore

/// A response as it arrives, as a value: its head, what its body is, and whether it is complete.
struct Reception {
    private(set) var head: ResponseHead?
    var trailers: HTTPFields = [:]
    private(set) var encodedBytes: Int64 = 0
    private(set) var decodedBytes: Int64 = 0
    let limits: BodyLimits
    private var decoder: ContentDecoder?
    /// The end of the connection, if that is also the end of the body, and encrypted.
    private var tlsEnd: TLSEnd?

    init(for request: HTTPRequest) {
        limits = BodyLimits(for: request)
    }

    // MARK: Events

    /// The head is complete. Returns why the response is refused, or nil.
    mutating func receive(_ head: ResponseHead, to request: HTTPRequest, tlsEnd: () -> TLSEnd?) -> NetworkError.Kind? {
        self.head = head
        guard request.method != .head, !head.status.forbidsContent else { return nil }
        if head.isDelimitedByEnd { self.tlsEnd = tlsEnd() }
        // A request that asks for codings gets them, and a part of a coded representation can't be decoded by itself.
        if let codings = head.contentEncoding, head.status != .partialContent, !request.fields.contains(.acceptEncoding)
        {
            if let fault = ContentCodings(codings).fault { return .invalidResponse(reason: fault) }
            decoder = ContentDecoder(codings: codings)
        }
        return head.contentLength.flatMap { limits.fault(declared: $0, isDecoded: isDecoded) }
    }

    /// A piece of the body arrived. Returns why the response is refused, or nil.
    ///
    /// - Parameter store: Takes decoded bytes; returns why it can't, or nil.
    mutating func receive(
        _ bytes: UnsafeRawBufferPointer, store: (_ bytes: UnsafeRawBufferPointer, _ total: Int64) -> NetworkError.Kind?
    ) -> NetworkError.Kind? {
        encodedBytes += Int64(bytes.count)
        if let fault = limits.fault(encoded: encodedBytes) { return fault }
        guard let decoder else { return deliver(bytes, store) }
        var fault: NetworkError.Kind?
        do throws(DecodingFault) {
            try decoder.decode(bytes) {
                fault = deliver($0, store)
                return fault == nil
            }
        } catch {
            if case .corrupt(let reason) = error { return .invalidResponse(reason: reason) }
        }
        return fault
    }

    private mutating func deliver(
        _ bytes: UnsafeRawBufferPointer, _ store: (UnsafeRawBufferPointer, Int64) -> NetworkError.Kind?
    ) -> NetworkError.Kind? {
        decodedBytes += Int64(bytes.count)
        return limits.fault(decoded: decodedBytes) ?? store(bytes, decodedBytes)
    }

    /// The connection is another exchange's, or closed, from now on.
    mutating func releaseConnection() {
        tlsEnd = nil
    }

    // MARK: Decisions

    private var isDecoded: Bool { decoder != nil }

    /// The length of the body as the caller gets it; nil if unknown.
    var plainLength: Int64? { isDecoded ? nil : head?.contentLength }

    /// The head as the caller gets it: without the fields that describe an encoded body.
    var responseHead: HTTPResponseHead? {
        guard let head else { return nil }
        var fields = head.fields
        if isDecoded {
            fields.remove(.contentEncoding)
            fields.remove(.contentLength)
        }
        return HTTPResponseHead(status: head.status, fields: fields)
    }

    static let unannouncedEnd = "TLS ended without close_notify, so the response may be incomplete"

    /// Why the response is incomplete, although libcurl reports success; nil if it is complete.
    func lack(_ end: ExchangeState.StreamEnd?) -> String? {
        if end == .cut, head?.contentLength != encodedBytes {
            return "the server reset the stream before it ended (NO_ERROR)"
        }
        if let tlsEnd, !tlsEnd.isNotified {
            return Self.unannouncedEnd
        }
        if let decoder, !decoder.isComplete { return "the compressed body is incomplete" }
        return nil
    }

    /// Whether the response is complete, although libcurl reports a failure: the server ended it before it had the
    /// request's body, which libcurl 7.88 may take for a fault.
    func isComplete(despite code: CURLcode, _ end: ExchangeState.StreamEnd?, message: String) -> Bool {
        // Every other failure of a stream has a message.
        guard let head, end != .cut, end == .answeredEarly || code == CURLE_HTTP2_STREAM && message.isEmpty else {
            return false
        }
        return head.contentLength.map { $0 == encodedBytes } ?? true
    }
}
