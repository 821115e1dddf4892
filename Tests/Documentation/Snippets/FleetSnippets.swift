#if canImport(GodwitFleet)
import Godwit
import GodwitFleet

enum FleetSnippets {
    static func limit() async throws -> APIClient {
        // snippet: fleet
        let fleet = try await Fleet(redis: "rediss://app:secret@redis.example.com") { $0.expectedMembers = 8 }
        let api = APIClient(baseURL: "https://api.example.com/v1") {
            $0.rateLimit = .shared(.perSecond(50), in: fleet)
        }
        // end
        return api
    }

    static func recipe() async throws -> APIClient {
        // snippet: recipe-G5
        let fleet = try await Fleet(redis: "rediss://app:secret@redis.example.com")
        let api = APIClient(baseURL: "https://api.example.com/v1") {
            $0.rateLimit = .shared(.perSecond(50), in: fleet)  // all processes together
            $0.attemptMiddleware.append(fleet.permits("api", limit: 20))  // at once, in all processes
        }
        // end
        return api
    }

    static func permits(_ fleet: Fleet) async throws {
        // snippet: fleet-permits
        let exports = fleet.permits("exports", limit: 4)
        try await exports.withPermit { permit in
            print("export with number", permit.fencingToken ?? 0)
        }
        // end
    }

    static func tokens(_ auth: APIClient) async throws -> APIClient {
        // snippet: fleet-tokens
        let key = try FleetKey(base64: ProcessInfo.processInfo.environment["FLEET_KEY"] ?? "")
        let fleet = try await Fleet(redis: "rediss://app:secret@redis.example.com") { $0.keys = [key] }
        let tokens = try fleet.tokens("partner-api") { old in try await auth.send(.refresh(old)) }
        let api = APIClient(baseURL: "https://api.example.com/v1") { $0.authentication = .credential(.tokens(tokens)) }
        // end
        return api
    }

    static func stores(_ fleet: Fleet) async throws -> APIClient {
        // snippet: fleet-stores
        let jar = try await fleet.cookieJar("partner-api")
        let api = APIClient(baseURL: "https://api.example.com/v1") {
            $0.cache = .store(FleetCacheStore(fleet, limit: 100 << 20))
            $0.cookies = .jar(jar)
            $0.circuitBreaker = CircuitBreaker.Options()
            $0.sharedCircuits = fleet.circuits()
        }
        // end
        return api
    }

    static func once(_ fleet: Fleet, _ api: APIClient, _ draft: Draft) async throws -> Article {
        // snippet: fleet-once
        let key = try await fleet.idempotencyKey(for: "invoice-2026-17")
        let created = try await api.send(.create(draft).idempotencyKey(key))
        // end
        return created
    }

    static func state(_ fleet: Fleet) {
        // snippet: fleet-state
        switch fleet.state {
        case .shared(let members): print("\(members) processes share the limits")
        case .local(let members, let reason): print("1/\(members) of each limit: \(reason)")
        }
        // end
    }
}

extension Endpoint {
    fileprivate static func refresh(_ old: AccessToken) -> Endpoint<AccessToken> {
        .post("refresh", body: .json(["refresh": old.refresh])).unauthenticated()
    }
}
#endif
