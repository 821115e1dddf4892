// expect: value of type 'MockRoutes' has no member 'gett'
import Godwit
import GodwitTesting

let mock = MockTransport { $0.gett("/articles").reply(json: []) }
