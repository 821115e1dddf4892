import GodwitCore

extension BadNetworkScenario {
    private static let released = "throws .cancelled, and closes the connection"

    static let cancellations = [
        BadNetworkScenario(
            name: "a cancellation during the TLS handshake", stage: .handshake,
            server: "accepts the connection and stays silent", expectation: released
        ) { trial async throws(BadNetworkFailure) in
            try await trial.serve({ $0.stall() }) { server async throws(BadNetworkFailure) in
                guard let url = try? HTTPURL("https://127.0.0.1:\(server.url.port)/") else { return }
                try await cancel(HTTPRequest(url: url), server, trial) { $0.accepted > 0 }
            }
        },
        BadNetworkScenario(
            name: "a cancellation before the head", stage: .cancellation, server: "reads the request and stays silent",
            expectation: released
        ) { trial async throws(BadNetworkFailure) in
            try await trial.forEachDelivery { detail, delivery async throws(BadNetworkFailure) in
                try await trial.serve({ if $0.readHead() != nil { $0.stall() } }) {
                    server async throws(BadNetworkFailure) in
                    let request = HTTPRequest(url: server.url, delivery: delivery)
                    try await cancel(request, server, trial, detail) { !$0.requests.isEmpty }
                }
            }
        },
        BadNetworkScenario(
            name: "a cancellation within the body", stage: .cancellation,
            server: "announces 1,000 bytes, sends 4 and stays silent", expectation: released
        ) { trial async throws(BadNetworkFailure) in
            try await trial.serve({ connection in
                guard connection.readHead() != nil else { return }
                connection.write(ok + "Content-Length: 1000\r\n\r\nhalf")
                connection.stall()
            }) { server async throws(BadNetworkFailure) in
                let running = RunningCall(HTTPRequest(url: server.url, delivery: .streamed), trial.transport)
                await running.waitForBody(in: trial)
                running.cancel()
                try trial.check(try await running.end(in: trial), .cancelled)
                try await trial.expectReleased(server)
            }
        },
        BadNetworkScenario(
            name: "a cancellation during an upload", stage: .cancellation, server: "reads the upload and stays silent",
            expectation: "throws .cancelled, closes the connection and releases the body"
        ) { trial async throws(BadNetworkFailure) in
            try await trial.serve({ if $0.readHead() != nil { $0.waitForClose() } }) {
                server async throws(BadNetworkFailure) in
                let upload = EndlessUpload()
                try await cancel(upload.request(to: server.url), server, trial) { !$0.requests.isEmpty }
                try await upload.expectReleased(trial)
            }
        },
    ]

    /// Cancels a call once the server has seen it.
    private static func cancel(
        _ request: HTTPRequest, _ server: BadServer, _ trial: Trial, _ detail: String = "",
        when isReady: @escaping @Sendable (BadServer.State) -> Bool
    ) async throws(BadNetworkFailure) {
        let running = RunningCall(request, trial.transport)
        guard await server.state.wait(within: trial.limit, until: isReady) == .met else {
            running.cancel()
            throw trial.failure("the server saw no request", detail)
        }
        running.cancel()
        try trial.check(try await running.end(in: trial, detail), .cancelled, detail)
        try await trial.expectReleased(server, detail)
    }
}
