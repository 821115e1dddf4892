// outbox-writer URL FOLDER NAME
//
// Adds mutations to an outbox until something kills the program, and says each that is on the disk.

#if canImport(Glibc)
import Glibc
import Godwit
import GodwitUI

/// Adds a line to the server's book.
struct Line: OutboxMutation {
    let text: String

    static var name: String { "line" }
    var endpoint: Endpoint<Void> { .post("lines", body: .json(["text": text])) }
    var order: String { String(text.prefix(1)) }

    func apply(to changes: QueryChanges) {}
}

@MainActor
func addForever(_ outbox: Outbox, _ name: String) async throws {
    var number = 0
    while true {
        // Two orders, and never more than wait for a slow server.
        if outbox.items.count > 50 {
            await outbox.sendNow()
            continue
        }
        let text = "\(number % 2)-\(name)-\(number)"
        try await outbox.add(Line(text: text))
        print(text)
        fflush(nil)
        number += 1
    }
}

let arguments = CommandLine.arguments
guard arguments.count == 4 else { exit(2) }
let api = APIClient(baseURL: try HTTPURL(arguments[1])) { $0.retry.maximumAttempts = 1 }
let outbox = try Outbox(QueryStore(api), in: URL(filePath: arguments[2]), for: "ann", sending: [Line.self])
try await addForever(outbox, arguments[3])
#endif
