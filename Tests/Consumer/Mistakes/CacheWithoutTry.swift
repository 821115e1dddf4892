// expect: call can throw, but it is not marked with 'try'
import Godwit

func program(folder: URL) {
    let api = APIClient(baseURL: "https://api.example.com/v1") { $0.cache = .disk(folder) }
    _ = api
}
