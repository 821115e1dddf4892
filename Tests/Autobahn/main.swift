// The client under test of the Autobahn suite; script/autobahn starts the server and reads its report.
import Glibc
import Godwit

/// Runs the cases of a fuzzing server, one connection after the other, and asks it for its report.
struct AutobahnClient {
    let api: APIClient
    let agent: String

    func run(cases: ClosedRange<Int>?) async throws(NetworkError) {
        let count = try await caseCount()
        let cases = cases ?? 1...max(1, count)
        for number in cases where number <= count {
            await run(number)
            if number % 50 == 0 { print("\(number) of \(count)") }
        }
        let socket = try await api.webSocket("updateReports", query: ["agent": agent])
        _ = try? await socket.receive()
    }

    private func caseCount() async throws(NetworkError) -> Int {
        let socket = try await api.webSocket("getCaseCount")
        guard case .text(let text) = try await socket.receive() else { return 0 }
        return Int(text) ?? 0
    }

    /// Echoes until the server ends the case; what it thinks of that stands in its report.
    private func run(_ number: Int) async {
        do throws(NetworkError) {
            let socket = try await api.webSocket("runCase", query: ["case": "\(number)", "agent": agent]) {
                var compression = WebSocketCompression()
                compression.threshold = 0
                compression.level = 1
                $0.compression = compression
                $0.messageLimit = 32 << 20
                $0.keepalive = nil
            }
            for try await message in socket.messages { try await socket.send(message) }
        } catch {
            // Most cases end in an error, as they should.
        }
    }
}

let arguments = CommandLine.arguments
guard arguments.count >= 2 else {
    print("usage: AutobahnClient http://HOST:PORT [FIRST-LAST]")
    exit(2)
}
let range = arguments.count > 2 ? arguments[2].split(separator: "-").compactMap { Int($0) } : []
let client = AutobahnClient(
    api: APIClient(baseURL: arguments[1]) { $0.retry.maximumAttempts = 1 }, agent: "Godwit")
do {
    try await client.run(cases: range.count == 2 ? range[0]...range[1] : nil)
} catch {
    print("AutobahnClient: \(error)")
    exit(1)
}
