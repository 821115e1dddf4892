// expect: switch over error.kind
import Godwit

func program(api: APIClient) async {
    do throws(NetworkError) {
        _ = try await api.send(Endpoint<String>.get("articles"))
    } catch {
        switch error {
        case .notFound: break
        default: break
        }
    }
}
