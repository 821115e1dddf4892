import Godwit

let endpoint = Endpoint<Void>.get("articles").header("X-Page", 5)
