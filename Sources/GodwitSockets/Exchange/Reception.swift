#if os(Linux)
package import GodwitCore

/// A response as it arrives, as a value: its head, what its body is, and whether it is complete.
package struct Reception {
    private(set) var status: HTTPStatus?
    private var fields = HTTPFields()
    package var trailers: HTTPFields = [:]
    private(set) var encodedBytes: Int64 = 0
    private(set) var decodedBytes: Int64 = 0
    let limits: BodyLimits
    private var contentLength: Int64?
    private var decoder: ContentDecoder?

    init(for request: HTTPRequest) {
        limits = BodyLimits(for: request)
    }

    // MARK: Events

    /// The head is complete. Returns why the response is refused, or `nil`.
    ///
    /// - Parameter hasBody: Whether a body follows.
    mutating func receive(
        _ status: HTTPStatus, _ fields: HTTPFields, length: Int64?, hasBody: Bool, to request: HTTPRequest
    ) -> NetworkError.Kind? {
        self.status = status
        self.fields = fields
        contentLength = length
        guard request.method != .head, !status.forbidsContent else { return nil }
        // A request that asks for codings gets them, and a part of a coded representation can't be decoded by itself.
        if let codings = fields[.contentEncoding], status != .partialContent,
            !request.fields.contains(.acceptEncoding) || request.dictionary != nil
        {
            if let fault = ContentCodings(codings).fault { return .invalidResponse(reason: fault) }
            decoder = ContentDecoder(codings: codings, dictionary: request.dictionary)
        }
        return length.flatMap { limits.fault(declared: $0, isDecoded: isDecoded) }
    }

    /// Takes decoded bytes, with the number of all up to them; returns why it can't, or `nil`.
    typealias Store = (_ bytes: UnsafeRawBufferPointer, _ total: Int64) -> NetworkError.Kind?

    /// A piece of the body arrived. Returns why the response is refused, or `nil`.
    ///
    /// - Parameter room: How many bytes may be decoded next; 0 to leave the rest for later.
    mutating func receive(_ bytes: UnsafeRawBufferPointer, room: () -> Int, store: Store) -> NetworkError.Kind? {
        encodedBytes += Int64(bytes.count)
        if let fault = limits.fault(encoded: encodedBytes) { return fault }
        guard let decoder else { return deliver(bytes, store) }
        decoder.add(bytes)
        defer { decoder.keepInput() }
        return decode(room: room, store: store)
    }

    /// Decodes more of what has arrived. Returns why the response is refused, or `nil`.
    mutating func decode(room: () -> Int, store: Store) -> NetworkError.Kind? {
        guard let decoder else { return nil }
        do throws(DecodingFault) {
            while decoder.hasInput, !decoder.isSlow {
                let limit = room()
                guard limit > 0 else { return nil }
                let piece = try decoder.next(limit: limit)
                if !piece.isEmpty, let fault = deliver(piece, store) { return fault }
            }
            return nil
        } catch {
            return error.kind
        }
    }

    /// The decoder, if its next step needs another thread.
    var slowDecoder: ContentDecoder? { decoder?.isSlow == true ? decoder : nil }

    /// Whether something that arrived has not been decoded.
    var hasInput: Bool { decoder?.hasInput ?? false }

    private mutating func deliver(_ bytes: UnsafeRawBufferPointer, _ store: Store) -> NetworkError.Kind? {
        decodedBytes += Int64(bytes.count)
        return limits.fault(decoded: decodedBytes, isDecoded: isDecoded) ?? store(bytes, decodedBytes)
    }

    // MARK: Decisions

    var isDecoded: Bool { decoder != nil }

    /// The length of the body as the caller gets it; `nil` if unknown.
    var plainLength: Int64? { isDecoded ? nil : contentLength }

    /// The head as the caller gets it: without the fields that describe an encoded body.
    var responseHead: HTTPResponseHead? {
        guard let status else { return nil }
        var fields = fields
        if isDecoded {
            fields.remove(.contentEncoding)
            fields.remove(.contentLength)
        }
        return HTTPResponseHead(status: status, fields: fields)
    }

    static let unannouncedEnd = "TLS ended without close_notify, so the response may be incomplete"

    /// Why the response is incomplete once all that arrived is decoded; `nil` if it is complete.
    var decodingLack: String? {
        decoder.map(\.isComplete) == false ? "the compressed body is incomplete" : nil
    }
}
#endif
