#if HTTPTypes
import Godwit
import GodwitHTTPTypes
import HTTPTypes

/// What docs/integrations.md shows of this bridge.
enum HTTPTypesSnippets {
    static func send(_ api: APIClient, _ request: HTTPTypes.HTTPRequest) async throws -> HTTPTypes.HTTPResponse {
        // snippet: integrations-http-types
        let response = try await api.send(Godwit.HTTPRequest(request, body: "Mudflats in winter"))
        let head = try HTTPTypes.HTTPResponse(response.head)
        let trailers = try HTTPTypes.HTTPFields(response.trailers)
        // end
        _ = trailers
        return head
    }
}
#endif
