/// Receives the beginning of a buffered body whenever more of it has arrived, as to preview a progressive image.
///
/// Only of a successful response from the network. The bytes are all that have arrived of this attempt; they must not be
/// kept, as the next chunk would copy them. Such requests aren't coalesced.
package enum PartialBody: RequestOption {
    package typealias Value = (@Sendable (Data) -> Void)?

    package static var defaultValue: Value { nil }

    package static var affectsResponse: Bool { false }
}

/// Collects the body of requests with the option ``PartialBody``.
///
/// Inside the cache, which stores only buffered responses, and inside retries, which end when a streamed body begins.
struct PartialBodies: Middleware {
    func handles(_ call: Call) -> Bool {
        guard case .buffered = call.request.delivery else { return false }
        return call.request.options[PartialBody.self] != nil
    }

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        guard case .buffered(let limit) = call.request.delivery, let report = call.request.options[PartialBody.self]
        else { return try await next(call) }
        var streamed = call
        streamed.request.delivery = .streamed
        var response = try await next(streamed)
        response.body = .bytes(try await collect(response, limit, report))
        return response
    }

    private func collect(
        _ response: HTTPResponse, _ limit: Int, _ report: @Sendable (Data) -> Void
    ) async throws(NetworkError) -> Data {
        var data = Data()
        for try await chunk in response.body {
            guard chunk.count <= limit - data.count else {
                throw NetworkError(
                    .tooLarge(limit: Int64(limit)), phase: .receiving, request: response.request,
                    response: response.head)
            }
            data.append(chunk)
            if response.head.status.isSuccessful { report(data) }
        }
        return data
    }
}
