// works
import Godwit

func program(api: APIClient, address: URL) async throws {
    let response = try await api.send(HTTPRequest(url: address))
    _ = response
}
