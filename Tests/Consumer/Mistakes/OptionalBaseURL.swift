// expect: value of optional type 'URL?' must be unwrapped
import Godwit

let api = APIClient(baseURL: URL(string: "https://api.example.com/v1"))
