// expect: value of type 'ClientConfiguration' has no member 'defaultField'
import Godwit
import GodwitTesting

func program(mock: MockTransport) {
    let api = APIClient(baseURL: "https://api.example.com/v1", transport: mock) {
        $0.timeouts.total = .seconds(30)
        $0.defaultField[.acceptLanguage] = "de"
    }
    _ = api
}
