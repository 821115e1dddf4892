import CGodwitCurl
import GodwitCore

// Connections that switch protocols.
extension Engine {
    /// Begins an exchange that shall leave HTTP.
    func startUpgrade(_ exchange: Exchange) {
        guard let handle = EasyHandle(engine: self) else {
            return exchange.fail(.transport(.other("out of memory")), phase: .connecting)
        }
        let connection = UpgradedConnection(upgrades.nextID(), exchange, on: handle)
        exchange.upgraded = connection
        upgrades.add(connection)
        guard exchange.begin(on: handle, at: now), connection.connect() else {
            exchange.upgraded = nil
            exchange.detach()
            close(connection)
            return exchange.fail(.transport(.other("libcurl refused the exchange")), phase: .connecting)
        }
        activate(exchange)
    }

    /// The exchange ended without an upgrade.
    func endUpgrade(_ exchange: Exchange, _ outcome: CURLcode) {
        if outcome != CURLE_OK, lacksDescriptors(exchange) {
            if exchange.restarts < Self.mostRestarts, makeRoom() { return restartUpgrade(exchange) }
            exchange.failure = exchange.error(.transport(.tooManyOpenFiles), .connecting)
        }
        remove(exchange, outcome: outcome)
    }

    private func restartUpgrade(_ exchange: Exchange) {
        exchange.restarts += 1
        exchange.lackedDescriptor = false
        let connection = exchange.upgraded.take()
        deactivate(exchange)
        if let connection { close(connection) }
        startUpgrade(exchange)
    }

    /// The server switched: the exchange is over, the connection goes on.
    func handOver(_ exchange: Exchange, _ connection: CurlDuplex) {
        exchange.recordMetrics()
        exchange.upgraded = nil
        deactivate(exchange)
        exchange.answer(with: connection)
    }

    func perform(_ command: DuplexCommand, on id: Int) {
        if let connection = upgrades[id] { return connection.perform(command) }
        let gone = NetworkError(.transport(.connectionLost("it is closed")), phase: .sending)
        switch command {
        case .start(let receiver): receiver.receiveEnd(gone)
        case .write(_, let completion): completion(gone)
        case .resumeReading, .close: break
        }
    }

    func close(_ connection: UpgradedConnection) {
        upgrades.remove(connection)
        connection.free()
    }

    func connected(_ connection: UpgradedConnection) {
        upgrades.connected(connection)
    }

    func noteConnectTimer(_ deadline: LoopTime?) {
        upgrades.noteConnectTimer(deadline)
    }

    func serveAgain(_ connection: UpgradedConnection) {
        upgrades.noteUnread(connection)
    }

    var readBuffer: UnsafeMutableRawBufferPointer { upgrades.readBuffer }

    func watch(_ descriptor: Int32, for events: UInt32, of connection: UpgradedConnection) {
        upgrades.setOwner(events == 0 ? nil : connection, of: descriptor)
        poller.watch(descriptor, for: events)
    }

    /// What is left to do at the end of a turn.
    func serveUpgrades() {
        for connection in upgrades.takeDue(at: now) { connection.serveTimer() }
        for connection in upgrades.takeUnread() { connection.serveAgain() }
    }
}
