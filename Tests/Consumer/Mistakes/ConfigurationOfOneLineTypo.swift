import Godwit

let api = APIClient(baseURL: "https://api.example.com/v1") { $0.jsn = JSONCoding(keys: .snakeCase) }
