/// What the connections of a server share.
struct ServerService: Sendable {
    let table: RouteTable
    let options: MockServer.Options
    let recorder: RequestRecorder
    /// Performs TLS handshakes; nil over plain http.
    let acceptor: (any TLSAcceptor)?
    /// Why handshakes failed; the newest 100.
    let handshakes: Watched<[String]>

    /// Returns the stream to serve a connection over; nil if its handshake failed. Blocks until the handshake is over.
    func accept(_ socket: Socket, _ pipe: WakePipe) -> (any ServerStream)? {
        guard let acceptor else { return socket }
        switch acceptor.accept(socket, pipe) {
        case .success(let stream): return stream
        case .failure(let failure):
            handshakes.update { $0 = $0.suffix(99) + [failure.reason] }
            return nil
        }
    }
}
