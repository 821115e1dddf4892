import Godwit

func program() {
    let api = APIClient(baseURL: "https://api.example.com/v1") {
        $0.timeouts.totl = .seconds(30)
    }
    _ = api
}
