// expect: 'isRetryable' is unavailable: this error may be any error
import Godwit

func program(api: APIClient) async throws {
    let value = try await withRetry(when: { $0.isRetryable }) { try await api.send(Endpoint<String>.get("a")) }
    _ = value
}
