// expect: 'userMessage' is unavailable: this error may be any error: write 'do throws(NetworkError)', or 'catch let error as NetworkError'
import Godwit

func program(api: APIClient) async {
    do {
        async let first = api.send(Endpoint<String>.get("a"))
        async let second = api.send(Endpoint<String>.get("b"))
        print(try await first, try await second)
    } catch {
        print(error.userMessage ?? "")
    }
}
