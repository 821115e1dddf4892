// works
import Godwit

func program(api: APIClient) async throws {
    let value: String = try await withRetry { try await api.send(Endpoint<String>.get("a")) }
    try await withRetry(attempts: 5) {
        let more = try await api.send(Endpoint<String>.get("b"))
        print(more, value)
    }
    try await withRetry { attempt in print(attempt) }
    try await withRetry { print($0) }
}
