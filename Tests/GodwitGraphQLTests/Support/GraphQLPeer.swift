#if canImport(Glibc)
import Glibc
import Godwit
import GodwitGraphQL
import TestSupport
import Testing

/// A GraphQL server that others wrote: `Peers/graphql_peer.py`. Ends when it is released.
final class GraphQLPeer: Sendable {
    /// Which library serves.
    enum Library: String, CaseIterable, Sendable {
        case ariadne, strawberry
    }

    private static var python: String? { ProcessInfo.processInfo.environment["GODWIT_TEST_PYTHON"] }

    /// Whether both libraries are installed. Asked once, as Python takes a while.
    static let isAvailable: Bool = {
        guard let python,
            let test = try? ChildProgram([python, "-c", "import ariadne, strawberry, uvicorn, websockets"])
        else { return false }
        return test.waitForEnd() == 0
    }()

    static let hint: Comment = "needs ariadne and strawberry-graphql: script/servers start DIR; . DIR/env"

    let port: Int
    private let program: ChildProgram

    /// Starts one and waits until it listens.
    ///
    /// - Parameter port: That of a server that has ended; by default a free one.
    init(_ library: Library, port: Int? = nil) throws {
        let python = try #require(Self.python)
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Peers/graphql_peer.py")
        let output = try ChildProgram.Pipe()
        program = try ChildProgram(
            [python, script.path, library.rawValue] + [port.map(String.init)].compactMap(\.self),
            ChildProgram.Streams(output: output.writing))
        defer { close(output.reading) }
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(output.reading, &byte, 1) == 1, byte != 0x0A { line.append(byte) }
        self.port = try #require(Int(String(decoding: line, as: UTF8.self)))
    }

    deinit {
        program.signal(SIGKILL)
        program.waitForEnd()
    }

    /// Starts one for the duration of a test.
    static func run(
        _ library: Library, _ test: (GraphQLPeer) async throws -> Void
    ) async throws {
        let peer = try GraphQLPeer(library)
        // The compiler may release it after its last use.
        defer { withExtendedLifetime(peer) {} }
        try await test(peer)
    }

    /// Ends the server: SIGTERM closes its connections in order, SIGKILL doesn't.
    func end(_ signal: Int32) async {
        program.signal(signal)
        _ = await program.end()
    }

    var api: APIClient {
        APIClient(baseURL: "http://127.0.0.1:\(port)") { $0.retry.maximumAttempts = 1 }
    }

    func client(_ configure: (inout GraphQLOptions) -> Void = { _ in }) -> GraphQLClient {
        GraphQLClient(api) {
            $0.subscriptions.backoff = Backoff(base: .milliseconds(20), cap: .milliseconds(100))
            $0.subscriptions.failureLimit = 300
            configure(&$0)
        }
    }
}
#endif
