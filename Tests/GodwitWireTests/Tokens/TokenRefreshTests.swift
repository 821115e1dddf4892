import GodwitWire
import Testing

@Suite("A3 the state machine of token refresh")
struct TokenRefreshTests {
    typealias Event = TokenEvent<String>

    struct Script: Sendable, CustomTestStringConvertible {
        let name: String
        let events: [Event]
        /// What the last event is answered with, and where the machine then stands.
        let actions: [String]
        let state: String

        init(_ name: String, _ events: [Event], _ actions: [String], _ state: String) {
            self.name = name
            self.events = events
            self.actions = actions
            self.state = state
        }

        var testDescription: String { name }
    }

    private static let signedIn: [Event] = [.replaced("a")]
    private static let refreshing: [Event] = signedIn + [.tokenRefused(generation: 1, waiter: 1)]
    private static let proactive: [Event] = signedIn + [.expiryNear(generation: 1)]
    private static let failed: [Event] = refreshing + [.refreshFailed(attempt: 1, .passing)]

    static let scripts: [Script] = [
        Script("the first need reads the store", [.tokenNeeded(1)], ["read"], "reading [1]"),
        Script("the second need waits for the same reading", [.tokenNeeded(1), .tokenNeeded(2)], [], "reading [1, 2]"),
        Script("what was read goes to all", [.tokenNeeded(1), .tokenNeeded(2), .read("a")], ["[1, 2] a1"], "valid a1"),
        Script("an empty store means unauthorized", [.tokenNeeded(1), .read(nil)], ["[1] unauthorized"], "none"),
        Script("an unreadable store is tried again", [.tokenNeeded(1), .readFailed], ["[1] failed"], "unread"),
        Script(
            "a reading that nobody waits for is kept", [.tokenNeeded(1), .cancelled(1), .read("a")], [], "valid a1"),
        Script("signing in is kept", signedIn, ["save a"], "valid a1"),
        Script("signing in beats a reading", [.tokenNeeded(1), .replaced("b")], ["save b", "[1] b1"], "valid b1"),
        Script("a late reading is not heard", [.tokenNeeded(1), .replaced("b"), .read("a")], [], "valid b1"),
        Script("a valid token is given out", signedIn + [.tokenNeeded(1)], ["[1] a1"], "valid a1"),

        Script("a 401 refreshes", refreshing, ["refresh #1 a1"], "refreshing #1 a1 [1]"),
        Script(
            "a 401 without a waiter refreshes too", signedIn + [.tokenRefused(generation: 1, waiter: nil)],
            ["refresh #1 a1"], "refreshing #1 a1 []"),
        Script(
            "another 401 joins", refreshing + [.tokenRefused(generation: 1, waiter: 2)], [],
            "refreshing #1 a1 [1, 2]"),
        Script("who needs a token joins", refreshing + [.tokenNeeded(2)], [], "refreshing #1 a1 [1, 2]"),
        Script(
            "the new token is kept and goes to all", refreshing + [.tokenNeeded(2), .refreshed(attempt: 1, "b")],
            ["save b", "[1, 2] b2"], "valid b2"),
        Script(
            "a 401 to a replaced token gets the new one",
            refreshing + [.refreshed(attempt: 1, "b"), .tokenRefused(generation: 1, waiter: 3)], ["[3] b2"],
            "valid b2"),
        Script(
            "a 401 to the new token refreshes again",
            refreshing + [.refreshed(attempt: 1, "b"), .tokenRefused(generation: 2, waiter: 3)], ["refresh #2 b2"],
            "refreshing #2 b2 [3]"),
        Script(
            "a second 401 ends the session",
            refreshing + [.refreshed(attempt: 1, "b"), .replacementRefused(generation: 2)], ["clear"], "none"),
        Script(
            "a second 401 to a replaced token ends nothing",
            refreshing + [.refreshed(attempt: 1, "b"), .replacementRefused(generation: 1)], [], "valid b2"),
        Script(
            "a second 401 during a refresh ends nothing", refreshing + [.replacementRefused(generation: 1)], [],
            "refreshing #1 a1 [1]"),
        Script(
            "a cancelled waiter leaves, the refresh goes on", refreshing + [.tokenNeeded(2), .cancelled(1)], [],
            "refreshing #1 a1 [2]"),
        Script(
            "a refresh that nobody waits for is kept",
            refreshing + [.cancelled(1), .refreshed(attempt: 1, "b")], ["save b"], "valid b2"),

        Script(
            "a rejected refresh ends the session", refreshing + [.refreshFailed(attempt: 1, .rejected)],
            ["clear", "[1] unauthorized"], "none"),
        Script(
            "after that nobody refreshes",
            refreshing + [.refreshFailed(attempt: 1, .rejected), .tokenRefused(generation: 1, waiter: 2)],
            ["[2] unauthorized"], "none"),
        Script("a passing failure keeps the token", failed, ["[1] failed"], "failed a1"),
        Script(
            "after a passing failure the next tries again", failed + [.tokenNeeded(2)], ["refresh #2 a1"],
            "refreshing #2 a1 [2]"),
        Script(
            "a late 401 tries again too", failed + [.tokenRefused(generation: 1, waiter: 2)], ["refresh #2 a1"],
            "refreshing #2 a1 [2]"),
        Script(
            "the outcome of an earlier attempt is not heard",
            failed + [.tokenNeeded(2), .refreshed(attempt: 1, "x")], [], "refreshing #2 a1 [2]"),

        Script(
            "expiry near refreshes", signedIn + [.expiryNear(generation: 1)], ["refresh #1 a1"],
            "refreshing #1 a1 []"),
        Script(
            "expiry of a replaced token does nothing", signedIn + [.replaced("b"), .expiryNear(generation: 1)], [],
            "valid b2"),
        Script(
            "a token that still works is used while it is replaced", proactive + [.tokenNeeded(1)], ["[1] a1"],
            "refreshing #1 a1 []"),
        Script(
            "once it has expired, callers wait for the same refresh",
            proactive + [.expired(generation: 1), .tokenNeeded(1)], [], "refreshing #1 a1 [1]"),
        Script(
            "a proactive refresh that fails leaves the old token in use",
            proactive + [.refreshFailed(attempt: 1, .passing)], [], "valid a1"),
        Script(
            "unless a 401 came meanwhile",
            proactive + [.tokenRefused(generation: 1, waiter: 2), .refreshFailed(attempt: 1, .passing)],
            ["[2] failed"], "failed a1"),
        Script(
            "an expired token is not used after a failure",
            signedIn + [.expired(generation: 1), .tokenNeeded(1), .refreshFailed(attempt: 1, .passing)],
            ["[1] failed"], "failed a1"),

        Script("signing out lets all go", refreshing + [.replaced(nil)], ["clear", "[1] unauthorized"], "none"),
        Script("signing in lets all go on", refreshing + [.replaced("c")], ["save c", "[1] c2"], "valid c2"),
        Script(
            "a refresh that ends after signing out is not heard",
            refreshing + [.replaced(nil), .refreshed(attempt: 1, "b")], [], "none"),
        Script(
            "nor one that fails after signing in",
            refreshing + [.replaced("c"), .refreshFailed(attempt: 1, .rejected)], [], "valid c2"),
    ]

    @Test("A3 each event has its actions in each state", arguments: scripts)
    func answers(_ script: Script) {
        var machine = TokenRefresh<String>()
        var actions: [TokenAction<String>] = []
        for event in script.events { actions = machine.handle(event) }
        #expect(actions.map(Self.text) == script.actions)
        #expect(Self.text(machine.state) == script.state)
    }

    @Test("A3 in any sequence of events, every waiter is resumed once and one refresh counts", arguments: 0..<200)
    func randomSequences(seed: UInt64) {
        var model = RandomTokenEvents(seed: seed)
        for _ in 0..<300 { model.step() }
        model.settle()
        #expect(model.faults == [])
        #expect(model.waiting.isEmpty)
    }

    static func text(_ action: TokenAction<String>) -> String {
        switch action {
        case .read: "read"
        case .refresh(let attempt, let issue): "refresh #\(attempt) \(text(issue))"
        case .save(let value): "save \(value)"
        case .clear: "clear"
        case .resume(let waiters, .token(let issue)): "\(waiters) \(text(issue))"
        case .resume(let waiters, let outcome): "\(waiters) \(outcome)"
        }
    }

    static func text(_ state: TokenRefresh<String>.State) -> String {
        switch state {
        case .unread: "unread"
        case .reading(let waiters): "reading \(waiters)"
        case .none: "none"
        case .valid(let issue): "valid \(text(issue))"
        case .refreshing(let attempt): "refreshing #\(attempt.number) \(text(attempt.issue)) \(attempt.waiters)"
        case .failed(let issue): "failed \(text(issue))"
        }
    }

    private static func text(_ issue: TokenRefresh<String>.Issue) -> String { "\(issue.value)\(issue.generation)" }
}
