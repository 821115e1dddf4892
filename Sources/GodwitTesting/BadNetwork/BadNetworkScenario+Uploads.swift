import GodwitCore

extension BadNetworkScenario {
    private static let refusal = "HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno"

    static let uploads = [
        upload(
            "an early response", server: "answers 413 during the upload and ends the connection",
            expects: "returns the 413 and releases the rest of the body", .response(413, "no")
        ) { connection in
            connection.write(refusal)
            connection.endAndWaitForClose()
        },
        upload(
            "a reset during the upload", server: "resets the connection during the upload",
            expects: "throws .transport(.connectionLost) and releases the body", .lost
        ) { $0.reset() },
        BadNetworkScenario(
            name: "an upload that the server does not read", stage: .upload,
            server: "reads the head of the request, nothing for 1.5 s, then the rest",
            expectation: "throws .timedOut(.inactivity), and closes the connection"
        ) { trial async throws(BadNetworkFailure) in
            try await trial.serve({ connection in
                guard connection.readHead() != nil else { return }
                // Not forever: with a full window, the system can't deliver that the client closes.
                connection.pause(1500)
                connection.waitForClose()
            }) { server async throws(BadNetworkFailure) in
                var request = HTTPRequest(method: .put, url: server.url, body: .bytes(Data(count: 32 << 20)))
                request.options.timeouts.inactivity = .milliseconds(400)
                try await trial.expect(.inactive, of: request)
                try await trial.expectReleased(server)
            }
        },
        expectation(
            "unrequested interim responses", server: "sends 100 twice and 103 before the response",
            .response(200, "final"), asks: false
        ) { connection in
            guard let head = connection.readHead(), connection.readBody(of: head) else { return }
            connection.write("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n")
            connection.write("HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n")
            connection.respond("final")
        },
        expectation(
            "an expectation without an answer", server: "never sends 100, and answers after the body",
            .response(200, "final"), asks: true
        ) { connection in
            guard let head = connection.readHead(), connection.readBody(of: head) else { return }
            connection.respond("final")
        },
        expectation(
            "an expectation that is refused", server: "answers 413 instead of 100", .response(413, "no"), asks: true
        ) { connection in
            guard connection.readHead() != nil else { return }
            connection.write(refusal)
            connection.endAndWaitForClose()
        },
        expectation(
            "an end after 100", server: "sends 100 and ends the connection", .lost, asks: true
        ) { connection in
            guard connection.readHead() != nil else { return }
            connection.write("HTTP/1.1 100 Continue\r\n\r\n")
            connection.endAndWaitForClose()
        },
    ]

    /// A POST whose body never ends by itself.
    private static func upload(
        _ name: String, server: String, expects text: String, _ ending: Trial.Ending,
        _ script: @escaping BadServer.Script
    ) -> BadNetworkScenario {
        BadNetworkScenario(name: name, stage: .upload, server: server, expectation: text) {
            trial async throws(BadNetworkFailure) in
            try await trial.serve({ if $0.readHead() != nil { script($0) } }) {
                server async throws(BadNetworkFailure) in
                let upload = EndlessUpload()
                try await trial.expect(ending, of: upload.request(to: server.url))
                try await trial.expectReleased(server)
                try await upload.expectReleased(trial)
                try trial.expectSentOnce(server, "POST /")
            }
        }
    }

    /// A POST of 1,000 bytes. A transport may ignore `expectContinue`.
    private static func expectation(
        _ name: String, server: String, _ ending: Trial.Ending, asks: Bool, _ script: @escaping BadServer.Script
    ) -> BadNetworkScenario {
        BadNetworkScenario(name: name, stage: .upload, server: server, expectation: "ends with \(ending.description)") {
            trial async throws(BadNetworkFailure) in
            try await trial.serve(script) { server async throws(BadNetworkFailure) in
                var request = HTTPRequest(method: .post, url: server.url, body: .bytes(Data(count: 1000)))
                request.options.expectContinue = asks
                try await trial.expect(ending, of: request)
                try trial.expectSentOnce(server, "POST /")
            }
        }
    }
}

extension Trial {
    /// Checks that the server didn't see the request twice.
    func expectSentOnce(_ server: BadServer, _ request: String) throws(BadNetworkFailure) {
        let count = server.state.value.requests.count { $0 == request }
        guard count <= 1 else { throw failure("\(request) was sent \(count) times") }
    }
}
