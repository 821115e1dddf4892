import CGodwitCurl
@_spi(Engines) import GodwitCore

// Connections that switch protocols.
extension Engine: UpgradeHost {
    /// Starts an exchange that will leave HTTP.
    func startUpgrade(_ exchange: Exchange) {
        guard let handle = EasyHandle(for: self) else {
            return refuse(exchange, .other("out of memory"))
        }
        let connection = UpgradedConnection(upgrades.nextID(), exchange, on: handle, of: self)
        upgrades.add(connection, of: exchange)
        // libcurl 8 needs descriptors of its own before it connects.
        guard exchange.start(on: handle), connection.connect() || makeRoom() && connection.connect() else {
            exchange.detach()
            if let connection = upgrades.take(exchange) { close(connection) }
            let fault: NetworkError.TransportFailure =
                godwit_lacks_descriptors() != 0 ? .tooManyOpenFiles : .other("libcurl refused the exchange")
            return refuse(exchange, fault)
        }
        activate(exchange)
    }

    /// The exchange ended without an upgrade.
    func endUpgrade(_ exchange: Exchange, _ outcome: CURLcode) {
        guard !exchange.flow.hasEnded else { return }
        if exchange.transferEnded(outcome) == .makeRoom {
            if makeRoom() { return restartUpgrade(exchange) }
            exchange.failure = exchange.error(.transport(.tooManyOpenFiles), .connecting)
        }
        end(exchange, outcome)
    }

    private func restartUpgrade(_ exchange: Exchange) {
        let connection = upgrades.take(exchange)
        deactivate(exchange)
        if let connection { close(connection) }
        startUpgrade(exchange)
    }

    /// The server switched: the exchange is over, and the connection stays.
    func handOver(_ exchange: Exchange, _ connection: UpgradedConnection) {
        exchange.recordMetrics()
        _ = upgrades.take(exchange)
        deactivate(exchange)
        exchange.answer(with: CurlDuplex { [loop, id = connection.id] in loop.post(.duplex(id, $0)) })
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

    func connected(_ connection: UpgradedConnection, on handle: EasyHandle) {
        upgrades.connected(connection)
        races.established(handle)
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
