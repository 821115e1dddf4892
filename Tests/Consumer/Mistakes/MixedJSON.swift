// expect: values of several kinds are not Encodable together: declare a struct
// never: submit a bug report
import Godwit

let endpoint = Endpoint<Void>.post("articles", body: .json(["id": 1, "title": "Tides"]))
