import GodwitCore

extension BadNetworkScenario {
    /// Makes a scenario of one GET, buffered and then streamed, that must end in one way and release its connection.
    ///
    /// The script of a connection ends when the client closes, or resets it.
    static func get(
        _ name: String, _ stage: Stage, server: String, expects expectation: String, _ ending: Trial.Ending,
        change: @escaping @Sendable (inout HTTPRequest) -> Void = { _ in }, _ script: @escaping BadServer.Script
    ) -> BadNetworkScenario {
        BadNetworkScenario(name: name, stage: stage, server: server, expectation: expectation) {
            trial async throws(BadNetworkFailure) in
            try await trial.forEachDelivery { detail, delivery async throws(BadNetworkFailure) in
                try await trial.serve(script) { server async throws(BadNetworkFailure) in
                    var request = HTTPRequest(url: server.url, delivery: delivery)
                    change(&request)
                    try await trial.expect(ending, of: request, detail)
                    try await trial.expectReleased(server, detail)
                }
            }
        }
    }

    /// Makes a scenario whose server reads a head and then writes text and ends the connection.
    static func cut(
        _ name: String, _ stage: Stage, server: String, expects expectation: String, _ ending: Trial.Ending,
        after text: String
    ) -> BadNetworkScenario {
        get(name, stage, server: server, expects: expectation, ending) { connection in
            guard connection.readHead() != nil else { return }
            connection.write(text)
            connection.endAndWaitForClose()
        }
    }

    /// Makes a scenario whose server reads a head and then writes text and resets the connection.
    static func reset(
        _ name: String, _ stage: Stage, server: String, after text: String
    ) -> BadNetworkScenario {
        get(name, stage, server: server, expects: lostText, .lost) { connection in
            guard connection.readHead() != nil else { return }
            connection.write(text)
            // Lets the client read the text: a reset discards what it hasn't read.
            connection.pause(20)
            connection.reset()
        }
    }

    static let lostText = "throws .transport(.connectionLost)"
    static let malformedText = "throws .invalidResponse, and closes the connection"

    static let ok = "HTTP/1.1 200 OK\r\n"
}
