import Godwit

extension RequestCommand {
    /// Sends a request whose response is checked, so its body is in memory.
    func check(_ request: HTTPRequest, from client: APIClient) async throws(CommandFailure) -> ExitCode {
        if arguments.destination != .output { throw .usage(UsageError("--expect and --capture don't write files")) }
        let delivery = Delivery.buffered(limit: Self.reportLimit)
        let response = try await send(request, delivery: delivery, from: client)
        let body = try await CommandFailure.network { () async throws(NetworkError) in
            try await response.body.collect(upTo: Self.reportLimit)
        }
        let duration = log.exchanges.compactMap { $0.metrics?.total }.reduce(.zero, +)
        let checked = CheckedResponse(response, body: body, duration: duration)
        let code = try await conclude(response, checked)
        let failures = arguments.checks.failures(in: checked)
        for failure in failures { await command.report(lines: failure) }
        return failures.isEmpty ? code : .checkFailed
    }

    /// Prints the captures, or else the response.
    private func conclude(
        _ response: HTTPResponse, _ checked: CheckedResponse
    ) async throws(CommandFailure) -> ExitCode {
        let checks = arguments.checks
        if checks.captures.isEmpty { return try await show(response) }
        let isError = checked.status >= 400 && !checks.testsStatus
        if isError { await command.report("\(NetworkError(response, body: checked.body))") }
        switch checks.captured(from: checked, asJSON: arguments.reportsAsJSON) {
        case .success(let text): try await command.print(text)
        case .failure(let failure):
            await command.report(failure.message)
            return .checkFailed
        }
        return isError ? .httpStatus : .success
    }
}
