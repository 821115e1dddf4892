import Godwit
import GodwitTesting
import Synchronization

/// What clients must cope with: cookies, and a service that fails now and then.
nonisolated struct OddRoutes {
    private static let themes = ["light", "dark"]

    private struct Preferences: Codable {
        let theme: String
    }

    /// The failures of each key.
    private final class Failures: Sendable {
        private static let keyLimit = 1000
        private let counts = Mutex<[String: Int]>([:])

        /// Counts a request. Returns its number.
        func next(for key: String) -> Int {
            counts.withLock { counts in
                if counts.count >= Self.keyLimit { counts = [:] }
                counts[key, default: 0] += 1
                return counts[key] ?? 1
            }
        }
    }

    func add(to route: MockRoutes) {
        route.put("/v1/preferences").answer { request throws(Problem) in
            let theme = try request.value(Preferences.self).theme
            guard Self.themes.contains(theme) else { throw Problem.invalid(["theme": ["must be light or dark"]]) }
            return .status(.noContent)
                .field(.setCookie, "theme=\(theme); Path=/v1; Max-Age=3600; HttpOnly; SameSite=Lax")
        }
        route.get("/v1/preferences").answer { request throws(Problem) in
            .coded(Preferences(theme: Self.theme(in: request.fields["Cookie"] ?? "")))
        }
        let failures = Failures()
        // Each key fails once, then works.
        let flaky: @Sendable (MockRequest) throws(Problem) -> MockResponse = { request throws(Problem) in
            let number = failures.next(for: request.queryValue("key") ?? "")
            guard number > 1 else {
                let problem = Problem(status: 503, title: "Overloaded", detail: "Try again in a second.")
                return problem.response.field(.retryAfter, "1")
            }
            return .json(["attempt": "\(number)"])
        }
        route.get("/v1/flaky").answer { request throws(Problem) in try flaky(request) }
        route.post("/v1/flaky").answer { request throws(Problem) in try flaky(request) }
    }

    private static func theme(in cookies: String) -> String {
        let pair = cookies.split(separator: ";").map { $0.drop { $0 == " " } }.first { $0.hasPrefix("theme=") }
        return themes.first { pair?.dropFirst(6) == $0[...] } ?? "system"
    }
}
