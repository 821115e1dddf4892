#if os(Linux)
import GodwitCore
import GodwitTLS

/// A connection that is being made.
struct DialRecord {
    let dial: Dial
    let route: Route
    /// The exchange for which it was begun: it receives the failure.
    weak var owner: Exchange?
}

// Connections are made, given to exchanges, kept and closed.
extension Engine {
    /// Gives connections to the exchanges that wait for one, and makes more as far as there may be.
    func serveWaiting(_ route: Route) {
        let group = route.group
        while let exchange = firstWaiting(group) {
            let decision = pool.next(
                for: group, waiting: waitingCounts[group], mayShare: route.mayShare,
                isFresh: needsNew(exchange), at: now)
            switch decision {
            case .use(let number): give(number)
            case .open: dial(route, for: owner(in: group))
            case .openAfterClosing(let number):
                connections[number]?.close(nil)
                dial(route, for: owner(in: group))
            case .wait: return
            }
        }
    }

    /// Whether an exchange may not use a kept connection.
    private func needsNew(_ exchange: Exchange) -> Bool { exchange.state.needsOwnConnection || exchange.isUpgrade }

    /// The first waiting exchange for which no connection is being made yet.
    private func owner(in group: Int) -> Exchange? {
        var owner: Exchange?
        waiting[group].forEach { exchange in
            if owner == nil, !exchange.state.isOver, exchange.state.phase == .queued { owner = exchange }
        }
        return owner
    }

    /// Sends the exchange that has waited longest on a connection.
    private func give(_ number: Int) {
        guard let connection = connections[number] else { return }
        if connection.isKept { connection.checkIdle() }
        guard isPooled(connection), pool.serves(number),
            let exchange = firstWaiting(group(of: connection)), let route = exchange.route
        else { return released(connection, keepUntil: nil) }
        _ = waiting[route.group].popFirst()
        waitingCounts[route.group] -= 1
        let isNew = !connection.isKept
        connection.isKept = true
        connection.start(
            exchange, isReused: !isNew, openConnections: isNew ? pool.memberCount(of: route.group) : nil)
    }

    private func group(of connection: any PooledConnection) -> Int { connection.route.group }

    // MARK: Making

    private func dial(_ route: Route, for owner: Exchange?) {
        let number = pool.open(in: route.group, at: now)
        var plan = route.plan
        plan.onHeadSent = owner?.options.onHeadSent
        let dial = Dial(plan, self) { [unowned self] outcome in ended(number, outcome) }
        dials[number] = DialRecord(dial: dial, route: route, owner: owner)
        if let owner {
            owner.state.dial()
            owner.timing?.connecting(at: now)
            note(owner.timing?.deadline)
        }
        dial.start()
    }

    /// Opens a connection in advance.
    func warmUp(_ exchange: Exchange, _ route: Route) {
        guard pool.memberCount(of: route.group) < pool.limits.perHost, pool.count < pool.limits.total else {
            return finish(exchange)
        }
        dial(route, for: exchange)
    }

    /// Nothing waits for the connections that are being made in a group.
    func cancelDials(of group: Int) {
        for (number, record) in dials where record.route.group == group && record.owner?.isWarmUp != true {
            // Its number may be another connection's from now on.
            record.dial.disown()
            dials[number] = nil
            pool.closed(number)
            unwanted.append(record.dial)
        }
    }

    /// Cancels as many as the turn has time for: thousands of sockets take long to close.
    func cancelUnwanted() {
        while let dial = unwanted.popFirst() {
            dial.cancel()
            guard work.budget.hasTime(for: .ends) else { return }
        }
    }

    private func ended(_ number: Int, _ outcome: Dial.Outcome) {
        guard let record = dials.removeValue(forKey: number) else { return }
        switch outcome {
        case .connected(let connection): connected(number, connection, record)
        case .failed(let kind, let lackedRoute):
            pool.closed(number)
            names.forget(record.route.plan.place)
            failed(record, kind, lackedRoute)
        }
    }

    private func failed(_ record: DialRecord, _ kind: NetworkError.Kind, _ lackedRoute: Bool) {
        let owner = record.owner.flatMap { $0.state.isOver || !$0.state.isWaiting ? nil : $0 }
        if let exchange = owner ?? firstWaiting(record.route.group) {
            end(exchange, kind, .connecting, lackedRoute: lackedRoute)
        }
        serveWaiting(record.route)
    }

    private func connected(_ number: Int, _ connection: Connection, _ record: DialRecord) {
        let route = record.route
        let isShared: Bool
        if let session = connection.tls {
            isShared = session.negotiatedProtocol == "h2"
        } else {
            isShared = settings.configuration.protocols == .http2PriorKnowledge && route.mayShare
        }
        guard isShared || settings.configuration.protocols != .http2PriorKnowledge || !route.mayShare else {
            connection.close()
            pool.closed(number)
            return failed(record, .transport(.protocolViolation("the server did not agree on HTTP/2")), false)
        }
        guard let user = makeUser(number, connection, route, isShared: isShared) else {
            connection.close()
            pool.closed(number)
            return failed(record, .transport(.other("out of memory")), false)
        }
        connections[number] = user
        // A server says how many streams it takes once it speaks: until then, it gets one.
        pool.connected(number, isShared: isShared, at: now)
        noteKept()
        if let owner = record.owner, owner.isWarmUp, !owner.state.isOver {
            owner.isShared = isShared
            finish(owner)
        }
        noteSweep(keepUntil: nil)
        user.begin()
        guard !user.connection.isClosed else {
            return failed(record, .transport(.connectionLost("the server closed the connection at once")), false)
        }
        if let exchange = firstWaiting(route.group), needsNew(exchange) {
            pool.take(number)
            give(number)
        }
        serveWaiting(route)
        // From now on its server may end it at any time, as it may a connection that served a request.
        user.isKept = true
    }

    private func makeUser(
        _ number: Int, _ connection: Connection, _ route: Route, isShared: Bool
    ) -> (any PooledConnection)? {
        guard isShared else { return HTTP1Connection(number, connection, route, self) }
        return HTTP2Connection(number, connection, route, streamBuffer: resources.streamBuffer, self)
    }

    // MARK: Upkeep

    private func noteSweep(keepUntil: LoopTime?) {
        nextSweep = .earlier(nextSweep, keepUntil)
        nextSweep = .earlier(nextSweep, pool.limits.idleTime.map { now + $0 })
        nextSweep = .earlier(nextSweep, pool.limits.lifetime.map { now + $0 })
    }

    /// Closes what was idle for too long.
    func sweep() {
        guard let due = nextSweep, due <= now else { return }
        for number in pool.sweep(at: now) { connections[number]?.close(nil) }
        nextSweep = pool.nextSweep.map { max($0, now + 1_000_000) }
    }

    /// Ends connections that can't work over the new network path, and uses the others for no new exchange.
    func pathChanged() {
        names.forget()
        for connection in Array(connections.values) {
            let address = connection.connection.localAddress
            if let address, !SocketCalls.isPresent(address) {
                connection.close(.transport(.connectionLost("given up: its network is gone")))
            } else if pool.retire(connection.number) {
                connection.close(nil)
            }
        }
    }

    /// An exchange ended without a response: its connection may be dead, and must not be used again.
    func suspectSilence(of exchange: Exchange, _ ending: SilenceRule.Ending?) {
        guard let ending, let stream = exchange.carrier as? HTTP2Stream else { return }
        stream.owner.suspect(stream, ending)
    }
}

extension Engine: ConnectionServices {
    /// Whether the pool still has a connection; if not, its number may be another one's.
    private func isPooled(_ connection: any PooledConnection) -> Bool {
        connections[connection.number] === connection
    }

    func released(_ connection: any PooledConnection, keepUntil: LoopTime?) {
        guard isPooled(connection) else { return }
        guard pool.finished(connection.number, keepUntil: keepUntil, at: now) else {
            return connection.close(nil)
        }
        if keepUntil != nil || nextSweep == nil { noteSweep(keepUntil: keepUntil) }
        if pool.idleCountExceeds(pool.limits.idle) { nextSweep = now }
        let group = connection.route.group
        if group < waiting.count, waitingCounts[group] > 0 { return serveWaiting(connection.route) }
        serveOthers()
    }

    /// A place for a connection became free.
    private func serveOthers() {
        guard pool.limits.total < .max else { return }
        for group in waiting.indices where waitingCounts[group] > 0 {
            if let route = firstWaiting(group)?.route { serveWaiting(route) }
        }
    }

    func retired(_ connection: any PooledConnection) {
        if isPooled(connection), pool.retire(connection.number) { connection.close(nil) }
    }

    func closed(_ connection: any PooledConnection) {
        guard isPooled(connection) else { return }
        connections[connection.number] = nil
        pool.closed(connection.number)
        let group = connection.route.group
        if group < waiting.count, waitingCounts[group] > 0 {
            // Not from within what closed it.
            call(at: now) { [unowned self] in serveWaiting(connection.route) }
        } else if pool.limits.total < .max {
            call(at: now) { [unowned self] in serveOthers() }
        }
    }

    func limited(_ connection: any PooledConnection, to streams: Int) {
        guard isPooled(connection) else { return }
        pool.limit(connection.number, to: min(streams, settings.configuration.maximumStreamsPerConnection))
        let group = connection.route.group
        if group < waiting.count, waitingCounts[group] > 0 { serveWaiting(connection.route) }
    }

    func lost(_ exchange: Exchange, _ kind: NetworkError.Kind, _ loss: ExchangeState.Loss) {
        guard !exchange.state.isOver else { return }
        exchange.carrier = nil
        guard exchange.failure == nil else { return finish(exchange) }
        switch exchange.state.lose(loss, exchange.request.method, isRepeatable: exchange.isRepeatable) {
        case .fail: end(exchange, kind)
        case .stop(let reason): end(exchange, .transport(.connectionLost(reason)))
        case .again:
            guard let route = exchange.route else { return end(exchange, kind) }
            exchange.restart()
            waiting[route.group].append(exchange)
            waitingCounts[route.group] += 1
            call(at: now) { [unowned self] in serveWaiting(route) }
        }
    }

    func gaveUp(_ exchange: Exchange) {
        guard !exchange.state.isOver else { return }
        let carrier = exchange.carrier
        exchange.carrier = nil
        finish(exchange)
        carrier?.abandon(exchange)
    }

    func serveLater(_ connection: any PooledConnection) { unread.append(connection) }

    func sendSoon(_ connection: any PooledConnection) { unsent.append(connection) }

    func wake(_ connection: any PooledConnection, at time: LoopTime) {
        let (number, identity) = (connection.number, ObjectIdentifier(connection))
        call(at: time) { [unowned self] in
            // Its number may be another connection's by then.
            guard let connection = connections[number], ObjectIdentifier(connection) == identity else { return }
            connection.wake()
        }
    }
}

extension Engine: DialServices {
    var connectionPolicy: ConnectionPolicy { settings.configuration.connections }

    func readClock() { work.readClock() }

    func resolve(_ name: HostAndPort, _ found: @escaping ([SocketAddress]) -> Void) {
        if let addresses = settings.overrides[name] { return found(addresses) }
        if let address = SocketAddress(name.bareHost, port: name.port) {
            return found([name.zone.map { address.with(zone: $0) } ?? address])
        }
        if let addresses = name.localAddresses ?? names.addresses(of: name, at: now) { return found(addresses) }
        guard names.wait(for: name, found) else { return }
        AddressLookup.find(name) { [inbox] addresses in inbox.post(.addresses(name, addresses)) }
    }

    /// A lookup is over.
    func found(_ addresses: [SocketAddress], for name: HostAndPort) {
        for waiter in names.found(addresses, for: name, at: now) { waiter(addresses) }
    }

    func security(for url: HTTPURL, _ protocols: [String]) throws(NetworkError) -> TLSPlan {
        try trust.plan(for: url, protocols)
    }

    func proxySecurity(for place: HostAndPort) throws(NetworkError) -> TLSPlan {
        try trust.proxyPlan(for: place)
    }

    func makeRoom() -> Bool {
        guard let number = pool.oldestIdle(), let connection = connections[number] else { return false }
        connection.close(nil)
        return true
    }

    func wake(_ dial: Dial, at time: LoopTime) {
        call(at: time) { [weak dial] in dial?.tryNext() }
    }

    func shakeSoon(_ dial: Dial) { shaking.append(dial) }
}
#endif
