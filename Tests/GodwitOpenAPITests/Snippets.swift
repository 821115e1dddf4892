#if OpenAPI
import Godwit
import GodwitOpenAPI
import OpenAPIRuntime

/// What docs/integrations.md shows of this bridge.
enum OpenAPISnippets {
    static func client(_ serverURL: URL) -> Client {
        // snippet: integrations-openapi
        let api = APIClient(baseURL: "\(serverURL)") { $0.cache = .memory(limit: 20 << 20) }
        let client = Client(serverURL: serverURL, transport: GodwitTransport(api))
        // end
        return client
    }

    static func error(_ client: Client) async throws {
        // snippet: integrations-openapi-error
        do {
            _ = try await client.getBird(.init(id: 7))
        } catch let error as ClientError {
            guard let failure = error.networkError else { throw error }  // a value couldn't be encoded or decoded
            print(failure)
        }
        // end
    }
}
#endif
