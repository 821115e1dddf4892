// outbox-writer URL FOLDER NAME [decide]
//
// Adds mutations to an outbox until something kills the program, and says each that is on the disk. With `decide`, every third
// one ends with "!", which the server refuses; it is retried, replaced or discarded, and the program says what was decided.

#if canImport(Glibc)
import Glibc
import Godwit
import GodwitUI

/// Adds a line to the server's book.
struct Line: OutboxMutation {
    let text: String

    static var name: String { "line" }
    var endpoint: Endpoint<Void> { .post("lines", body: .json(["text": text])) }
    var scope: String { String(text.prefix(1)) }

    func apply(to changes: QueryChanges) {}
}

func say(_ text: String) {
    print(text)
    fflush(nil)
}

@MainActor
func addForever(_ outbox: Outbox, _ name: String, decides: Bool) async throws {
    var number = 0
    while true {
        if decides { try await decide(outbox) }
        // Two scopes, and never more than wait for a slow server.
        if outbox.items.count > (decides ? 12 : 50) {
            await outbox.sendNow()
            continue
        }
        let text = "\(number % 2)-\(name)-\(number)\(decides && number % 3 == 0 ? "!" : "")"
        try await outbox.add(Line(text: text))
        say(decides ? "added \(text)" : text)
        number += 1
    }
}

/// Decides about all mutations that were refused.
@MainActor
func decide(_ outbox: Outbox) async throws {
    for item in outbox.items where item.needsDecision {
        guard let line = item.mutation as? Line else { continue }
        switch Int.random(in: 0...2) {
        case 0:
            try await outbox.retry(item.id)
            say("retried \(line.text)")
        case 1:
            try await outbox.replace(item.id, with: Line(text: line.text + "+"))
            say("replaced \(line.text)")
        default:
            await outbox.discard(item.id)
            say("discarded \(line.text)")
        }
    }
}

let arguments = CommandLine.arguments
guard arguments.count >= 4 else { exit(2) }
let api = APIClient(baseURL: try HTTPURL(arguments[1])) { $0.retry.maximumAttempts = 1 }
let outbox = try Outbox(QueryStore(api), in: URL(filePath: arguments[2]), for: "ann", sending: [Line.self])
try await addForever(outbox, arguments[3], decides: arguments.last == "decide")
#endif
