import Godwit
import Testing

/// Root of the bad-network suite: what happens if a peer or the network misbehaves.
///
/// Each suite inside extends this type, so that the whole runs with `--filter BadNetwork`.
@Suite("Bad networks", .serialized, .timeLimit(.minutes(isSoak ? 120 : 5)))
enum BadNetwork {}

/// Whether tests take as long as they need to find what is rare. (Not a member: the attribute would refer to itself.)
let isSoak = ProcessInfo.processInfo.environment["GODWIT_TEST_SOAK"] != nil

extension BadNetwork {
    /// A stream of some texts.
    struct Chunks: AsyncSequence, Sendable {
        let texts: [String]

        init(_ texts: [String]) { self.texts = texts }

        struct AsyncIterator: AsyncIteratorProtocol {
            var rest: ArraySlice<String>

            mutating func next() async throws -> Data? { rest.popFirst().map { Data($0.utf8) } }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: texts[...]) }
    }
}
