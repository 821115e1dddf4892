// works
import Godwit

struct Row: Sendable {
    static func rows(_ data: Data) throws -> [Row] { [] }
}

let rows = Endpoint<[Row]>(method: .get, path: "export", accept: "text/csv") { data, _, _ in
    try Row.rows(data)
}
