import GodwitCore

/// A call in progress, in a task of its own: a transport that never returns must not stop the check.
struct RunningCall: Sendable {
    enum End: Sendable {
        case response(Int, Data)
        case failure(NetworkError)
    }

    private struct Progress: Sendable {
        var received = 0
        var end: End?
    }

    private let progress = Watched(Progress())
    private let task: Task<Void, Never>

    /// Sends a request and reads its response.
    init(_ request: HTTPRequest, _ transport: any HTTPTransport) {
        task = Task { [progress] in
            let end = await Self.send(request, transport) { count in progress.update { $0.received = count } }
            progress.update { $0.end = end }
        }
    }

    private static func send(
        _ request: HTTPRequest, _ transport: any HTTPTransport, _ report: (Int) -> Void
    ) async -> End {
        do throws(NetworkError) {
            let response = try await transport.send(request)
            var body = Data()
            for try await chunk in response.body {
                body.append(chunk)
                report(body.count)
                // More than any script sends in a response that is meant to end.
                if body.count > 4 << 20 { break }
            }
            return .response(response.head.status.code, body)
        } catch {
            return .failure(error)
        }
    }

    func cancel() { task.cancel() }

    /// How the call ended; throws if it didn't within the trial's limit.
    func end(in trial: Trial, _ detail: String = "") async throws(BadNetworkFailure) -> End {
        _ = await progress.wait(within: trial.limit) { $0.end != nil }
        guard let end = progress.value.end else {
            task.cancel()
            throw trial.failure("the call had not ended after \(trial.limit)", detail)
        }
        return end
    }

    /// Waits for the first bytes of the body, or the end.
    func waitForBody(in trial: Trial) async {
        _ = await progress.wait(within: trial.limit) { $0.received > 0 || $0.end != nil }
    }
}

extension RunningCall.End: CustomStringConvertible {
    func matches(_ ending: Trial.Ending) -> Bool {
        switch (self, ending) {
        case (.failure(let error), .failure(let labels)), (.failure(let error), .either(_, _, let labels)):
            labels.contains(error.shortDescription)
        case (.response(let status, let body), .response(let expected, let text)),
            (.response(let status, let body), .either(let expected, let text, _)):
            status == expected && body == Data(text.utf8)
        case (.response, .failure), (.failure, .response): false
        }
    }

    var description: String {
        switch self {
        case .response(let status, let body) where body.count <= 40:
            "status \(status) with \"\(String(decoding: body, as: UTF8.self))\""
        case .response(let status, let body): "status \(status) with \(body.count) bytes"
        case .failure(let error): "\(error.shortDescription) (\(error))"
        }
    }
}
