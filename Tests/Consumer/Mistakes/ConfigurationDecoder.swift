// expect: write json = JSONCoding
import Godwit

let api = APIClient(baseURL: "https://api.example.com") { $0.decoder = JSONDecoder() }
