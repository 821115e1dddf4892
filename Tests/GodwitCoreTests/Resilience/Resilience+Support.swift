import GodwitCore
import GodwitTesting

/// Keeps the attempt number of every call that comes by.
struct AttemptLog: Middleware {
    let attempts = Collected<Int>()

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        attempts.append(call.attempt)
        return try await next(call)
    }
}

extension Chain {
    /// Sends, and tells the status or the kind of the error.
    func status(_ request: HTTPRequest) async -> Result<Int, Failure> {
        do throws(NetworkError) {
            return .success(try await send(request).head.status.code)
        } catch {
            return .failure(Failure(kind: error.kind))
        }
    }

    struct Failure: Error, Hashable {
        var kind: NetworkError.Kind
    }
}
