import Godwit

let api = APIClient(baseURL: "https://api.example.com/v1") { $0.timeouts.total = 30 }
