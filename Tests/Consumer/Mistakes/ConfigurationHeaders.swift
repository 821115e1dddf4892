// expect: write defaultFields
import Godwit

let api = APIClient(baseURL: "https://api.example.com") { $0.headers["Accept"] = "text/plain" }
