import Godwit
import PeerSupport
import Synchronization
import Testing

/// Against httpbin, whose checks of Digest are not ours. By hand, in a virtual environment of Python:
/// `pip install httpbin 'flask<3' 'werkzeug<3'; flask --app httpbin:app run -p 8087`, then
/// `GODWIT_TEST_HTTPBIN=http://127.0.0.1:8087 swift test --filter ChallengeTests`.
@Suite(
    "Contract: challenges of a real server", .enabled(if: HTTPBin.base != nil, "needs httpbin"),
    .timeLimit(.minutes(15)))
struct ChallengeTests {
    /// Keeps the status of every answer below the challenges.
    private final class Tap: Middleware {
        private let statuses = Mutex<[Int]>([])

        var seen: [Int] { statuses.withLock { $0 } }

        func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
            let response = try await next(call)
            statuses.withLock { $0.append(response.head.status.code) }
            return response
        }
    }

    /// The statuses of two requests, one after the other.
    private func statuses(_ path: String, user: String = "kuaka", password: String = "flies") async throws -> [Int] {
        let tap = Tap()
        let challenges = Challenges { question in
            question.failureCount == 0 ? PasswordCredential(user: user, password: password) : nil
        }
        let chain = Chain([challenges, tap], over: try Subject.sockets.make())
        for _ in 0..<2 { _ = try await chain.get(HTTPURL(#require(HTTPBin.base) + path)) }
        return tap.seen
    }

    @Test(
        "T8 Basic and Digest are accepted, and the second time unasked",
        arguments: [
            "/basic-auth/kuaka/flies", "/digest-auth/auth/kuaka/flies", "/digest-auth/auth/kuaka/flies/MD5",
            "/digest-auth/auth/kuaka/flies/SHA-256",
        ])
    func accepted(path: String) async throws {
        #expect(try await statuses(path) == [401, 200, 200])
    }

    @Test(
        "T8 a wrong password is refused each time",
        arguments: ["/basic-auth/kuaka/flies", "/digest-auth/auth/kuaka/flies"])
    func refused(path: String) async throws {
        #expect(try await statuses(path, password: "walks") == [401, 401, 401, 401])
    }

    @Test("T8 auth-int alone is not answered")
    func integrity() async throws {
        #expect(try await statuses("/digest-auth/auth-int/kuaka/flies") == [401, 401])
    }
}

private enum HTTPBin {
    static let base = ProcessInfo.processInfo.environment["GODWIT_TEST_HTTPBIN"]
}
