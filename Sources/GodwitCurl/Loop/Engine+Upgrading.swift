#if os(Linux)
import CGodwitCurl
@_spi(Engines) import GodwitCore
import GodwitSockets

// Connections that switch protocols.
extension Engine {
    /// Starts an exchange that will leave HTTP.
    func startUpgrade(_ exchange: Exchange, on handle: EasyHandle) {
        let connection = upgrades.add(exchange, on: handle)
        // libcurl 8 needs descriptors of its own before it connects.
        guard exchange.start(on: handle), connection.connect() || connections.makeRoom() && connection.connect() else {
            connections.detach(exchange)
            if let connection = upgrades.take(exchange) { upgrades.close(connection) }
            let fault: NetworkError.TransportFailure =
                godwit_lacks_descriptors() != 0 ? .tooManyOpenFiles : .other("libcurl refused the exchange")
            return refuse(exchange, fault)
        }
        activate(exchange)
    }

    /// Does what an event of a connection, or of its exchange, led to.
    func settle(_ connection: UpgradedConnection) {
        if let exchange = connection.exchange { perform(exchange.takeEffects(), of: exchange) }
        switch connection.takeEffect() {
        case .connected: if let handle = connection.handle { connections.races.established(handle) }
        case .ended(let exchange, let code): endUpgrade(exchange, code)
        case .switched(let exchange): handOver(exchange, connection)
        case nil: break
        }
    }

    private func endUpgrade(_ exchange: Exchange, _ outcome: CURLcode) {
        guard !exchange.flow.hasEnded else { return }
        if exchange.transferEnded(outcome) == .makeRoom {
            if connections.makeRoom() { return restartUpgrade(exchange) }
            exchange.failure = exchange.error(.transport(.tooManyOpenFiles), .connecting)
        }
        end(exchange, outcome)
    }

    private func restartUpgrade(_ exchange: Exchange) {
        let connection = upgrades.take(exchange)
        forget(exchange)
        if let connection { upgrades.close(connection) }
        begin(exchange)
    }

    /// The server switched: the exchange is over, and the connection stays.
    private func handOver(_ exchange: Exchange, _ connection: UpgradedConnection) {
        exchange.recordMetrics()
        _ = upgrades.take(exchange)
        forget(exchange)
        connection.releaseHandle()
        exchange.answer(
            with: CurlDuplex(connection.socket) { [loop, id = connection.id] in loop.post(.duplex(id, $0)) })
    }

    func perform(_ command: DuplexCommand, on id: Int) {
        if let connection = upgrades[id] {
            connection.perform(command)
            return settle(connection)
        }
        let gone = NetworkError(.transport(.connectionLost("it is closed")), phase: .sending)
        switch command {
        case .start(let receiver): receiver.receiveEnd(gone)
        case .write(_, _, let completion): completion(gone)
        case .resumeReading, .close: break
        }
    }

    /// What is left to do at the end of a turn.
    func serveUpgrades() {
        for connection in upgrades.takeDue(at: now) {
            connection.serveTimer()
            settle(connection)
        }
        for connection in upgrades.takeUnread() {
            connection.serveAgain()
            settle(connection)
        }
    }
}
#endif
