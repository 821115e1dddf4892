import GodwitCore

extension BadNetworkScenario {
    static let connecting = [
        BadNetworkScenario(
            name: "a refused connection", stage: .connecting, server: "no program listens on the port",
            expectation: "throws .transport(.cannotConnect)"
        ) { trial async throws(BadNetworkFailure) in
            let port = try trial.unusedPort()
            defer { withExtendedLifetime(port) {} }
            try await trial.expect(
                .failure(["transport.cannot_connect"]), of: HTTPRequest(url: port.url), "a GET")
            try await trial.expect(
                .failure(["transport.cannot_connect"]), of: EndlessUpload().request(to: port.url), "an upload")
        },
        get(
            "a reset connection", .connecting, server: "accepts each connection and resets it", expects: lostText,
            .failure(["transport.connection_lost", "transport.cannot_connect"])
        ) { $0.reset() },
    ]

    static let heads = [
        cut(
            "an end without a response", .head, server: "reads the request and ends the connection",
            expects: lostText, .lost, after: ""),
        reset(
            "a reset without a response", .head, server: "reads the request and resets the connection", after: ""),
        cut(
            "an end within the head", .head, server: "ends the connection within the response head",
            expects: lostText, .lost, after: ok + "Content-Length: 5\r\nX-More: y"),
        reset(
            "a reset within the head", .head, server: "resets the connection within the response head",
            after: ok + "Content-Le"),
        cut(
            "something else than HTTP", .head, server: "answers as a mail server", expects: malformedText, .malformed,
            after: "220 mail.example ESMTP\r\n"),
        cut(
            "two lengths", .head, server: "sends Content-Length: 5 and Content-Length: 7", expects: malformedText,
            .malformed, after: ok + "Content-Length: 5\r\nContent-Length: 7\r\n\r\nhello!!"),
        get(
            "an endless field", .head, server: "sends a header field without end",
            expects: "throws .tooLarge before 64 MiB, and closes the connection", .tooLarge
        ) { connection in
            guard connection.readHead() != nil else { return }
            connection.write(ok + "X-Endless: ")
            connection.repeatUntilClosed(String(repeating: "a", count: 16 << 10))
        },
        get(
            "endless fields", .head, server: "sends header fields without end",
            expects: "throws .tooLarge before 64 MiB, and closes the connection", .tooLarge
        ) { connection in
            guard connection.readHead() != nil else { return }
            connection.write(ok)
            connection.repeatUntilClosed("X-Field: \(String(repeating: "a", count: 500))\r\n")
        },
        get(
            "endless interim responses", .head, server: "sends 103 responses without end",
            expects: "throws .timedOut(.total) after the limit, or .tooLarge before, and closes the connection",
            .failure(["timed_out.total", "too_large", "invalid_response"]),
            change: { $0.options.timeouts.total = .milliseconds(600) }
        ) { connection in
            guard connection.readHead() != nil else { return }
            connection.repeatUntilClosed("HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n", every: 1)
        },
    ]
}
