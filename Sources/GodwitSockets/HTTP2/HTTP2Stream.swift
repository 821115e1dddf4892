#if os(Linux)
import GodwitCore

/// One request and its response on an HTTP/2 connection. Used in the loop's turn.
final class HTTP2Stream: Carrier {
    let exchange: Exchange
    /// Until the stream is forgotten there.
    let owner: HTTP2Connection
    let isReused: Bool
    /// Its number; 0 before the request is submitted.
    @exclusivity(unchecked) var number: Int32 = 0
    /// The bytes of all heads.
    @exclusivity(unchecked) var headSize = 0
    var interims = InterimHeads()
    @exclusivity(unchecked) var hasHead = false
    /// The server ended its side.
    @exclusivity(unchecked) var hasEnded = false
    /// Our side is ended.
    @exclusivity(unchecked) var isSent = false
    /// The server doesn't want the rest of the request.
    var isUnwanted = false
    /// Bytes of the body that the exchange doesn't take yet.
    @exclusivity(unchecked) var backlog: [UInt8] = []
    /// Received bytes by which the stream's window isn't open again.
    @exclusivity(unchecked) var unconsumed = 0

    init(_ exchange: Exchange, _ owner: HTTP2Connection, isReused: Bool) {
        self.exchange = exchange
        self.owner = owner
        self.isReused = isReused
    }

    var acknowledgedBytes: UInt64? { owner.acknowledgedBytes }

    func resumeReceiving(_ exchange: Exchange) { owner.resumeReceiving(self) }
    func resumeSending(_ exchange: Exchange) { owner.resumeSending(self) }
    func abandon(_ exchange: Exchange) { owner.abandon(self) }
}
#endif
