// expect: value of type 'ClientConfiguration' has no member 'jsn'
// never: HTTPTransport
import Godwit

let api = APIClient(baseURL: "https://api.example.com/v1") { $0.jsn = JSONCoding(keys: .snakeCase) }
