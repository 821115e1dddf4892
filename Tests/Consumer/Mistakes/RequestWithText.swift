// works
import Godwit

func program(api: APIClient) async throws {
    let response = try await api.send(HTTPRequest(url: "https://api.example.com/v1/articles"))
    _ = response
}
