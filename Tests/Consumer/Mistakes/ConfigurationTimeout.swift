// expect: write timeouts.total = .seconds(30)
import Godwit

let api = APIClient(baseURL: "https://api.example.com") { $0.timeoutInterval = 30 }
