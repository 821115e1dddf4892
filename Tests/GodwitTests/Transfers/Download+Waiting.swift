import Godwit
import GodwitTesting
import TestSupport

extension APIClient {
    /// A client of a server that does not wait between attempts.
    static func eager(
        _ server: MockServer, attempts: Int = 3, configure: (inout ClientConfiguration) -> Void = { _ in }
    ) -> APIClient {
        APIClient(baseURL: server.url) {
            $0.retry.maximumAttempts = attempts
            $0.retry.backoff = Backoff(base: .zero)
            configure(&$0)
        }
    }
}

extension Download {
    /// The error that ended it; nil where it was completed.
    func failure() async -> NetworkError? {
        await TestSupport.failure { () throws(NetworkError) in try await file }
    }

    /// Waits until so many bytes are there.
    func reach(_ count: Int64) async {
        for await progress in progress where progress.completed >= count { return }
    }
}
