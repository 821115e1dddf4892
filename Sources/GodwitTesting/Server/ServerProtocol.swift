import GodwitCore

/// Chooses between HTTP/1.1 and HTTP/2 for a connection, and serves it.
enum ServerProtocol {
    /// What a client with prior knowledge of HTTP/2 sends first (RFC 9113 section 3.4).
    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    #if canImport(CNGHTTP2)
    static let hasHTTP2 = true
    #else
    static let hasHTTP2 = false
    #endif

    /// Returns at the end of the connection.
    static func serve(_ stream: any ServerStream, _ number: Int, _ service: ServerService, _ pipe: WakePipe) {
        let protocols = service.options.protocols
        let isEncrypted = stream.tls != nil
        var early: [UInt8] = []
        if protocols != .http1, !isEncrypted { early = beginning(of: stream) }
        let isHTTP2 = isEncrypted ? stream.agreedOnHTTP2 : early == preface
        if protocols != .http1, isHTTP2 { return serveHTTP2(stream, number, service, early) }
        guard protocols != .http2 else { return stream.finish() }
        var loop = ConnectionLoop(number: number, socket: stream, service: service, pipe: pipe)
        loop.parser.feed(early)
        loop.run()
    }

    private static func serveHTTP2(
        _ stream: any ServerStream, _ number: Int, _ service: ServerService, _ early: [UInt8]
    ) {
        #if canImport(CNGHTTP2)
        HTTP2Connection(number: number, socket: stream, service: service)?.run(after: early)
        #endif
    }

    /// Reads no more than the preface, and only as long as it may be one.
    private static func beginning(of stream: any ServerStream) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < preface.count, preface.starts(with: bytes) {
            var piece = [UInt8](repeating: 0, count: preface.count - bytes.count)
            let count = piece.withUnsafeMutableBytes(stream.read)
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        return bytes
    }
}
