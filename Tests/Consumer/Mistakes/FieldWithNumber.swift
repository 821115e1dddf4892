// expect: cannot convert value of type 'Int' to expected argument type 'String'
import Godwit

let endpoint = Endpoint<Void>.get("articles").header("X-Page", 5)
