// expect: value of type 'APIClient' has no member 'sned'
import Godwit
import GodwitUI

@MainActor
final class Screen {
    let article: Loader<String>

    init(_ api: APIClient) {
        article = Loader { try await api.sned(Endpoint<String>.get("a")) }
    }
}
