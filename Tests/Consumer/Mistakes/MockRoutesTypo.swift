// expect: value of type 'MockRoute' has no member 'replay'
import Godwit
import GodwitTesting

let mock = MockTransport {
    $0.get("/articles").reply(json: [])
    $0.get("/article").replay(json: [])
}
