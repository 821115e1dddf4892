import GodwitCore

extension BadNetworkScenario {
    private static let lostLabels = ["transport.connection_lost"]

    static let reuse = [
        twice(
            "an end between two requests", server: "ends the kept connection after its first response", .get
        ) { connection in
            guard connection.readRequest() != nil else { return }
            connection.respond("ok")
            connection.endAndWaitForClose()
        },
        twice(
            "an end instead of the second response", server: "reads the second request and ends the connection", .get,
            endingSecond),
        twice(
            "an end instead of the response to a second POST",
            server: "reads the second request, a POST, and ends the connection", .post, endingSecond),
        twice(
            "bytes after a response", server: "sends an unrequested second response after each response",
            .get
        ) { connection in
            while connection.readRequest() != nil {
                connection.write(ok + "Content-Length: 2\r\n\r\nok" + ok + "Content-Length: 4\r\n\r\nevil")
            }
        },
        BadNetworkScenario(
            name: "a POST whose response is lost", stage: .reuse,
            server: "reads a whole POST and resets the connection",
            expectation: "throws .transport(.connectionLost), and doesn't send the request again"
        ) { trial async throws(BadNetworkFailure) in
            try await trial.serve({ connection in
                guard connection.readRequest() != nil else { return }
                connection.reset()
            }) { server async throws(BadNetworkFailure) in
                let request = HTTPRequest(method: .post, url: server.url, body: "order")
                try await trial.expect(.lost, of: request)
                try trial.expectSentOnce(server, "POST /")
            }
        },
        BadNetworkScenario(
            name: "an end within the body of a second POST", stage: .reuse,
            server: "reads 64 KiB of the second request's body and closes the kept connection",
            expectation: "throws .transport(.connectionLost), and doesn't send the request again"
        ) { trial async throws(BadNetworkFailure) in
            try await trial.serve({ connection in
                guard connection.readRequest() != nil, connection.respond("ok"), connection.readHead() != nil else {
                    return
                }
                _ = connection.readBody(atLeast: 64 << 10)
                connection.endWithoutReading()
            }) { server async throws(BadNetworkFailure) in
                try await trial.expect(.response(200, "ok"), of: HTTPRequest(url: server.url), "the first request")
                let order = HTTPRequest(method: .post, url: server.url, body: .bytes(Data(count: 16 << 20)))
                try await trial.expect(.lost, of: order, "the second request")
                try trial.expectSentOnce(server, "POST /")
            }
        },
    ]

    /// Answers the first request of the first connection, reads the second and ends. Further connections answer all.
    private static func endingSecond(_ connection: ServerConnection) {
        var count = 0
        while connection.readRequest() != nil {
            count += 1
            guard connection.number > 1 || count < 2 else { return connection.endAndWaitForClose() }
            connection.respond("ok")
        }
    }

    /// A GET, and then a second request to the same server.
    private static func twice(
        _ name: String, server: String, _ method: HTTPMethod, _ script: @escaping BadServer.Script
    ) -> BadNetworkScenario {
        BadNetworkScenario(
            name: name, stage: .reuse, server: server,
            expectation: method.isIdempotent
                ? "returns the second response, over a new connection, or throws .transport(.connectionLost)"
                : "throws .transport(.connectionLost) if the server saw the request, and sends it once"
        ) { trial async throws(BadNetworkFailure) in
            try await trial.serve(script) { server async throws(BadNetworkFailure) in
                try await trial.expect(.response(200, "ok"), of: HTTPRequest(url: server.url), "the first request")
                let second = HTTPRequest(method: method, url: server.url, body: method.isIdempotent ? nil : "order")
                try await trial.expect(.either(200, "ok", or: lostLabels), of: second, "the second request")
                if !method.isIdempotent { try trial.expectSentOnce(server, "\(method) /") }
            }
        }
    }

    static let restarts = [
        BadNetworkScenario(
            name: "a restart during many calls", stage: .restart,
            server: "resets 60 calls in progress, stops, and starts again on the same port",
            expectation: "ends each call with its own response or an error, and sends no POST twice"
        ) { trial async throws(BadNetworkFailure) in
            try await restart(trial)
        }
    ]

    private static func restart(_ trial: Trial) async throws(BadNetworkFailure) {
        let first = try trial.start { connection in
            while let head = connection.readRequest() {
                // One in three is answered; the others are in progress when the server stops.
                guard head.path.hasPrefix("/now/") else { return connection.stallAndReset() }
                connection.respond(head.path)
            }
        }
        let calls = (0..<60).map { index in RunningCall(call(index, first.url), trial.transport) }
        _ = await first.state.wait(within: trial.limit) { $0.requests.count >= 30 }
        await first.stop()
        let second = try trial.start(port: first.url.port) { connection in
            while let head = connection.readRequest() { connection.respond(head.path) }
        }
        do throws(BadNetworkFailure) {
            for (index, running) in calls.enumerated() {
                let ending = Trial.Ending.either(200, path(index), or: lostLabels + ["transport.cannot_connect"])
                try trial.check(try await running.end(in: trial, "call \(index)"), ending, "call \(index)")
            }
            for index in 0..<60 where call(index, first.url).method == .post {
                let seen = (first.state.value.requests + second.state.value.requests)
                    .count { $0 == "POST \(path(index))" }
                guard seen <= 1 else { throw trial.failure("POST \(path(index)) was sent \(seen) times") }
            }
            try await trial.expect(.response(200, path(1)), of: call(1, second.url), "a call after the restart")
        } catch {
            await second.stop()
            throw error
        }
        await second.stop()
    }

    private static func path(_ index: Int) -> String { index % 3 == 0 ? "/now/\(index)" : "/later/\(index)" }

    private static func call(_ index: Int, _ url: HTTPURL) -> HTTPRequest {
        let target = (try? HTTPURL("\(url.origin)\(path(index))")) ?? url
        return index % 2 == 0
            ? HTTPRequest(url: target) : HTTPRequest(method: .post, url: target, body: .bytes(Data("\(index)".utf8)))
    }
}

extension ServerConnection {
    /// Waits until the client or the server ends the connection, which is then a reset.
    fileprivate func stallAndReset() {
        reset()
        stall()
    }
}
