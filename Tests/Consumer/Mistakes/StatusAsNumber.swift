// expect: compare with .ok
import Godwit

func program(api: APIClient) async throws {
    let response = try await api.response(for: Endpoint<String>.get("articles"))
    print(response.head.status == 200)
}
