#if os(Linux)
import GodwitCore

/// What speaks HTTP on a connection: the pool's other side.
protocol PooledConnection: AnyObject {
    /// Its number in the pool.
    var number: Int { get }
    var connection: Connection { get }
    /// The way to its server.
    var route: Route { get }
    /// Whether an exchange was sent on it, or it was idle.
    var isKept: Bool { get set }
    var version: HTTPVersion { get }
    /// It is made, and the pool has it.
    func begin()
    /// Reads what arrived while it was idle.
    func checkIdle()
    /// Sends an exchange's request on it.
    func start(_ exchange: Exchange, isReused: Bool, openConnections: Int?)
    /// Closes it; exchanges on it fail with this reason.
    func close(_ reason: NetworkError.Kind?)
    /// Reads what was left in the last turn.
    func serveAgain()
    /// Sends what was put together in this turn.
    func send()
    /// The time has come that it asked for.
    func wake()
}

/// What connections ask of their loop. Used in the loop's turn.
protocol ConnectionServices: ExchangeServices {
    /// A buffer that every read uses.
    var readBuffer: UnsafeMutableRawBufferPointer { get }
    /// A buffer that every piece of a body to send uses: what was read may still be looked at meanwhile.
    var writeBuffer: UnsafeMutableRawBufferPointer { get }
    /// Lends a writer whose memory every head uses.
    func writing(_ body: (inout HeadWriter) -> Void)
    /// A request on a connection is over, and the connection can take another.
    func released(_ connection: any PooledConnection, keepUntil: LoopTime?)
    /// A connection takes no more requests.
    func retired(_ connection: any PooledConnection)
    /// A connection is closed.
    func closed(_ connection: any PooledConnection)
    /// How many requests a shared connection takes.
    func limited(_ connection: any PooledConnection, to streams: Int)
    /// The connection failed after an exchange's request began to go out.
    func lost(_ exchange: Exchange, _ kind: NetworkError.Kind, _ loss: ExchangeState.Loss)
    /// An exchange gave up, for the reason in its failure.
    func gaveUp(_ exchange: Exchange)
    /// The connection has more to read, after others had their turn.
    func serveLater(_ connection: any PooledConnection)
    /// The server switched protocols: the connection is the exchange's.
    func switched(_ exchange: Exchange, _ connection: any PooledConnection, early: [UInt8])
    /// ``PooledConnection/send()`` has to be called at the end of the turn.
    func sendSoon(_ connection: any PooledConnection)
    /// Calls back when the time has come; at most one call for each connection.
    func wake(_ connection: any PooledConnection, at time: LoopTime)
}
#endif
