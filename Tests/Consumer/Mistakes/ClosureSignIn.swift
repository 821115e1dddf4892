// works
import Godwit
import GodwitOAuth

func show(_ page: HTTPURL) async throws {}

func program(oauth: OAuth2) async throws {
    let response = try await oauth.signIn { page in try await show(page) }
    _ = response
}
