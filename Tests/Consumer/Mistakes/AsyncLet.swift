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
