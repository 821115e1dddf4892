import Godwit

enum ResilienceSnippets {
    static func resilient() -> APIClient {
        // snippet: resilient
        let api = APIClient(baseURL: "https://api.example.com/v1") {
            $0.retry.maximumAttempts = 4
            $0.idempotencyKeys = [.post]  // only if the server supports Idempotency-Key
            $0.coalescesRequests = true
            $0.concurrency.perHost = 6
            $0.rateLimit = .tokenBucket(perSecond: 10, burst: 20)
            $0.circuitBreaker = CircuitBreaker.Options()
        }
        // end
        return api
    }

    static func once(_ api: APIClient, _ draft: Draft) async throws -> [Article] {
        // snippet: retry-once
        let article = try await api.send(.article(id: 42).retry(.never))
        let created = try await api.send(.create(draft).idempotencyKey("order-17"))  // a POST that can be retried
        // end
        return [article, created]
    }
}
