#if os(Linux)
@_spi(Engines) import GodwitCore

// Connections that switch protocols.
extension Engine {
    /// The server switched: the exchange is over, and the connection stays.
    func switched(_ exchange: Exchange, _ connection: any PooledConnection, early: [UInt8]) {
        lastUpgrade += 1
        let id = lastUpgrade
        upgraded[id] = UpgradedConnection(id, connection.connection, early: early, self)
        closed(connection)
        remove(exchange)
        exchange.answer(with: SocketDuplex { [inbox] command in inbox.post(.duplex(id, command)) })
    }

    func perform(_ command: DuplexCommand, on id: Int) {
        if let connection = upgraded[id] { return connection.perform(command) }
        let gone = NetworkError(.transport(.connectionLost("it is closed")), phase: .sending)
        switch command {
        case .start(let receiver): receiver.receiveEnd(gone)
        case .write(_, let completion): completion(gone)
        case .resumeReading, .close: break
        }
    }
}

extension Engine: UpgradeServices {
    func ended(_ connection: UpgradedConnection) { upgraded[connection.id] = nil }
    func serveLater(_ connection: UpgradedConnection) { unreadUpgrades.append(connection) }
    func call(after nanoseconds: Int64, _ action: @escaping () -> Void) { call(at: now + nanoseconds, action) }
}
#endif
