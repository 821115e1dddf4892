import GodwitCore

extension BadNetworkScenario {
    private static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"

    static let bodies = [
        cut(
            "a truncated body", .body, server: "announces 1,000 bytes, sends 4 and ends the connection",
            expects: lostText, .lost, after: ok + "Content-Length: 1000\r\n\r\nhalf"),
        reset(
            "a reset within the body", .body, server: "announces 1,000 bytes, sends 4 and resets the connection",
            after: ok + "Content-Length: 1000\r\n\r\nhalf"),
        cut(
            "a body without its last chunk", .body, server: "ends the connection before the chunk of length 0",
            expects: lostText, .lost, after: chunked + "4\r\nhalf\r\n"),
        cut(
            "a broken chunk size", .body, server: "sends a chunk whose size isn't a number", expects: malformedText,
            .malformed, after: chunked + "4\r\nhalf\r\nwhat\r\nmore\r\n0\r\n\r\n"),
        cut(
            "a chunk longer than its size", .body, server: "sends a chunk of 3 bytes with 5", expects: malformedText,
            .malformed, after: chunked + "3\r\nabcde\r\n0\r\n\r\n"),
        BadNetworkScenario(
            name: "a body beyond the limit", stage: .body, server: "sends a body without end",
            expectation: "throws .tooLarge at the limit of the delivery, and closes the connection"
        ) { trial async throws(BadNetworkFailure) in
            try await trial.serve({ connection in
                guard connection.readHead() != nil else { return }
                connection.write(chunked)
                connection.repeatUntilClosed("1000\r\n\(String(repeating: "a", count: 4096))\r\n")
            }) { server async throws(BadNetworkFailure) in
                let request = HTTPRequest(url: server.url, delivery: .buffered(limit: 64 << 10))
                try await trial.expect(.failure(["too_large"]), of: request)
                try await trial.expectReleased(server)
            }
        },
    ]

    static let timing = [
        timed(
            "silence before the head", server: "reads the request and stays silent", .inactive,
            limits: { $0.inactivity = .milliseconds(300) }
        ) { $0.stall() },
        timed(
            "silence within the body", server: "announces 1,000 bytes, sends 4 and stays silent", .inactive,
            limits: { $0.inactivity = .milliseconds(300) }
        ) { connection in
            connection.write(ok + "Content-Length: 1000\r\n\r\nhalf")
            connection.stall()
        },
        timed(
            "a slow drip", server: "sends a byte of the body every 20 ms, without end", .late,
            limits: { $0.total = .milliseconds(500) }
        ) { connection in
            connection.write(ok + "Content-Length: 100000\r\n\r\n")
            connection.repeatUntilClosed("a", every: 20)
        },
        BadNetworkScenario(
            name: "a slow response", stage: .time,
            server: "sends the body within 1.5 s, a byte every 150 ms; the limit of inactivity is 1 s",
            expectation: "returns the whole response"
        ) { trial async throws(BadNetworkFailure) in
            try await trial.serve({ connection in
                guard connection.readHead() != nil else { return }
                connection.write(ok + "Content-Length: 10\r\n\r\n")
                for _ in 0..<10 {
                    connection.pause(150)
                    connection.write("a")
                }
            }) { server async throws(BadNetworkFailure) in
                var request = HTTPRequest(url: server.url)
                request.options.timeouts.inactivity = .seconds(1)
                try await trial.expect(.response(200, "aaaaaaaaaa"), of: request)
            }
        },
    ]

    /// A call that must end when its time is up, and not before.
    private static func timed(
        _ name: String, server: String, _ ending: Trial.Ending,
        limits: @escaping @Sendable (inout Timeouts) -> Void, _ script: @escaping BadServer.Script
    ) -> BadNetworkScenario {
        var timeouts = Timeouts()
        limits(&timeouts)
        let time = timeouts.total ?? timeouts.inactivity
        return BadNetworkScenario(
            name: name, stage: .time, server: server,
            expectation: "throws \(ending.description) after \(time), not before, and closes the connection"
        ) { [timeouts] trial async throws(BadNetworkFailure) in
            try await trial.forEachDelivery { detail, delivery async throws(BadNetworkFailure) in
                try await trial.serve({ if $0.readHead() != nil { script($0) } }) {
                    server async throws(BadNetworkFailure) in
                    var request = HTTPRequest(url: server.url, delivery: delivery)
                    request.options.timeouts = timeouts
                    let start = ContinuousClock.now
                    try await trial.expect(ending, of: request, detail)
                    let elapsed = ContinuousClock.now - start
                    // Transports may count whole milliseconds, or ticks of a coarse timer.
                    guard elapsed >= time * 0.9 else {
                        throw trial.failure("the call ended after \(elapsed) instead of \(time)", detail)
                    }
                    try await trial.expectReleased(server, detail)
                }
            }
        }
    }
}
