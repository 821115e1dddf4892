// expect: cannot assign value of type 'Int' to type 'Duration'
import Godwit

let api = APIClient(baseURL: "https://api.example.com/v1") { $0.timeouts.total = 30 }
