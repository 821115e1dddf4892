// expect: write response?.status.code
import Godwit

func program(api: APIClient) async {
    do throws(NetworkError) {
        _ = try await api.send(Endpoint<String>.get("articles"))
    } catch {
        print(error.statusCode)
    }
}
