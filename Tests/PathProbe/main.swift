import GodwitCore

// Runs in a network namespace of its own, where a test takes links down and up, and tells what the library sees.
//
//   path-probe         prints the path and its changes, one a line
//   path-probe --wait  sends a request that waits for a network, and prints what happens to it
//   path-probe --send  sends requests of many kinds, and prints how each ends

/// Answers everything, without a network.
struct Answers: HTTPTransport {
    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        HTTPResponse(head: HTTPResponseHead(status: .ok), request: request)
    }

    func shutdown(_ mode: ShutdownMode) async {}
}

let monitor = try LinuxPathMonitor()
if CommandLine.arguments.contains("--wait") {
    var request = HTTPRequest(url: try HTTPURL("https://example.com/"))
    request.options.onEvent = { event in
        if case .waitingForConnectivity = event { StandardOutput.print("waiting") }
    }
    let chain = Chain([Connectivity(.wait(upTo: nil), monitor: monitor)], over: Answers())
    StandardOutput.print("answered \(try await chain.send(request).head.status)")
} else if CommandLine.arguments.contains("--send") {
    try await Sending.run()
} else {
    for await path in monitor.paths { StandardOutput.print("\(path)") }
}
