// expect: value of type 'Timeouts' has no member 'totl'
// never: HTTPTransport
import Godwit

func program() {
    let api = APIClient(baseURL: "https://api.example.com/v1") {
        $0.timeouts.totl = .seconds(30)
    }
    _ = api
}
