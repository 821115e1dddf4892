import Godwit

let endpoint = Endpoint<Void>.post("articles", body: .json(["id": 1, "title": "Tides"]))
