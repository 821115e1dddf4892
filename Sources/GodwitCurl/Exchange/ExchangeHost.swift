import CGodwitCurl
import GodwitCore

/// What handles and exchanges need of the engine that serves them. Used on the engine's thread.
protocol ExchangeHost: AnyObject {
    /// Copied on each access.
    var configuration: CurlConfiguration { get }
    var addresses: AddressList { get }
    /// Where to connect instead of the URL's host.
    var targets: TargetList { get }
    var proxies: ProxyRules { get }
    var rules: HostRules? { get }
    var trustStores: TrustStores? { get }
    var tlsSessions: TLSSessions { get }
    /// Bytes of a streamed response that may wait for their reader.
    var streamBuffer: Int { get }
    var smallBuffers: BufferPool { get }
    var largeBuffers: BufferPool { get }
    var mailbox: any ExchangeMailbox { get }
    var poller: Poller { get }
    /// The time of this turn of the loop, also for code that has no reference to the host.
    var clock: UnsafeMutablePointer<LoopTime> { get }

    /// An exchange's deadline may be earlier than all others.
    func note(_ deadline: LoopTime?)
    /// Whether the turn has time to decode what has just arrived.
    var hasTimeToDecode: Bool { get }
    /// Does what follows for an exchange's body.
    func advance(_ exchange: Exchange)
    /// Received bytes wait to be handed over at the end of the turn.
    func needsFlush(_ exchange: Exchange)
    /// How far an exchange is that was silent. Called only when it may have been inactive for too long.
    func progress(of handle: EasyHandle) -> UploadWatch.Progress

    // What libcurl reports about connections.
    func nextFamilyDelay() -> Int
    func opened(_ descriptor: Int32, _ address: UnsafePointer<curl_sockaddr>?, by handle: EasyHandle)
    /// Whether libcurl may have a UDP socket; sets the port that it is connected to.
    func admitsDatagrams(_ address: UnsafeMutablePointer<curl_sockaddr>, for exchange: Exchange) -> Bool
    /// The handle's connection carries requests from now on. Returns why it must not, or nil.
    func established(_ handle: EasyHandle, for exchange: Exchange) -> NetworkError.Kind?
    func learnAlternatives(_ head: ResponseHead, to exchange: Exchange)
    func released(_ handle: EasyHandle)
    func meetsEndedConnection(_ handle: EasyHandle) -> Bool
    func willSend(_ exchange: Exchange)
    func abandonConnection(of handle: EasyHandle)
    func noteLargeHead(of handle: EasyHandle)
}

extension ExchangeHost {
    var now: LoopTime { clock.pointee }
}

/// Asks the event loop of an exchange for something, from any thread.
protocol ExchangeMailbox: AnyObject, Sendable {
    /// The reader of a streamed response accepts more.
    func resumeReceiving(_ exchange: Exchange)
    /// The source of a streamed upload has more.
    func resumeSending(_ exchange: Exchange)
    func cancel(_ exchange: Exchange)
}
