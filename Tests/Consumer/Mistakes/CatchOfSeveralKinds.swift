// expect: 'kind' is unavailable: this error may be any error: write 'do throws(NetworkError)', or 'catch let error as NetworkError'
import Godwit

func program(api: APIClient, file: URL) async {
    do {
        let data = try Data(contentsOf: file)
        try await api.send(Endpoint<Void>.post("a", body: .data(data)))
    } catch {
        switch error.kind {
        case .unauthorized: print("sign in")
        default: break
        }
    }
}
