// expect: a client belongs to one API
import Godwit

func program() async throws {
    let text: String = try await APIClient.shared.send(.get("articles"))
    _ = text
}
