import Godwit

let api = APIClient(baseURL: URL(string: "https://api.example.com/v1"))
