@testable import GodwitCore
import GodwitWire
import Testing

@Suite("A3 the decisions about a token and its account")
struct TokenStateTests {
    private static let start = Date(timeIntervalSince1970: 1_000_000)

    private static func time(_ seconds: TimeInterval) -> Date { start.addingTimeInterval(seconds) }

    private static func token(_ access: String, lifetime: TimeInterval? = nil) -> AccessToken {
        AccessToken(access: access, refresh: "r", expiry: lifetime.map(time))
    }

    /// A state after signing in at the start, with a leeway of 60 s.
    private static func signedIn(_ token: AccessToken) -> TokenState {
        var state = TokenState(leeway: 60)
        _ = state.handle(.replaced(token), at: start)
        return state
    }

    private static func text(_ effects: [TokenState.Effect]) -> [String] {
        effects.map { effect in
            switch effect {
            case .changeAccount(let state, let scope): "account \(state), removing \(scope)"
            case .read: "read"
            case .refresh(let number, let issue): "refresh #\(number) \(issue.value.access)"
            case .write(let token): "write \(token?.access ?? "nothing")"
            case .resume(let ids, .success(let issue)): "\(ids) \(issue.value.access)"
            case .resume(let ids, .failure(let error)): "\(ids) \(error.kind)"
            }
        }
    }

    @Test("A3 a token is used until its leeway, then replaced while it is used, then waited for")
    func expiry() {
        var state = Self.signedIn(Self.token("a", lifetime: 600))
        #expect(Self.text(state.usableToken(at: Self.time(539))?.effects ?? [.read]) == [])
        #expect(Self.text(state.usableToken(at: Self.time(541))?.effects ?? []) == ["refresh #1 a"])
        #expect(state.usableToken(at: Self.time(542))?.issue.value.access == "a")
        #expect(state.usableToken(at: Self.time(601)) == nil)
        #expect(Self.text(state.handle(.tokenNeeded(1), at: Self.time(601))) == [])
        let effects = state.handle(.refreshed(attempt: 1, Self.token("b", lifetime: 1200)), at: Self.time(602))
        #expect(Self.text(effects) == ["write b", "[1] b"])
    }

    @Test("A3 an expired token is refreshed for the caller that waits")
    func expired() {
        var state = Self.signedIn(Self.token("a", lifetime: 600))
        #expect(state.usableToken(at: Self.time(600)) == nil)
        #expect(Self.text(state.handle(.tokenNeeded(1), at: Self.time(600))) == ["refresh #1 a"])
        #expect(state.isRefreshing(1))
    }

    @Test("A3 the leeway is at most a quarter of a token's lifetime")
    func shortLifetime() {
        var state = Self.signedIn(Self.token("a", lifetime: 40))
        #expect(Self.text(state.usableToken(at: Self.time(29))?.effects ?? [.read]) == [])
        #expect(Self.text(state.usableToken(at: Self.time(30))?.effects ?? []) == ["refresh #1 a"])
    }

    @Test("A3 a failed replacement of a token that still works is tried again after 30 s at most")
    func postponed() {
        var state = Self.signedIn(Self.token("a", lifetime: 600))
        _ = state.usableToken(at: Self.time(540))
        #expect(Self.text(state.handle(.refreshFailed(attempt: 1, .passing), at: Self.time(540))) == [])
        #expect(Self.text(state.usableToken(at: Self.time(554))?.effects ?? [.read]) == [])
        #expect(Self.text(state.usableToken(at: Self.time(555))?.effects ?? []) == ["refresh #2 a"])
    }

    @Test("A6 signing in keeps the cookies only if no user was signed in")
    func signIn() {
        var state = TokenState(leeway: 60)
        _ = state.handle(.tokenNeeded(1), at: Self.start)
        #expect(state.session == nil)
        #expect(Self.text(state.handle(.read(nil), at: Self.start)) == ["[1] unauthorized"])
        let first = state.handle(.replaced(Self.token("a")), at: Self.start)
        #expect(Self.text(first) == ["account signed in, removing allButCookies", "write a"])
        let second = state.handle(.replaced(Self.token("b")), at: Self.start)
        #expect(Self.text(second) == ["account signed in, removing everything", "write b"])
    }

    @Test("A6 signing out and a refused refresh end the account")
    func end() {
        var state = Self.signedIn(Self.token("a"))
        let signedOut = state.handle(.replaced(nil), at: Self.start)
        #expect(Self.text(signedOut) == ["account ended: signed out, removing everything", "write nothing"])
        _ = state.handle(.replaced(Self.token("b")), at: Self.start)
        _ = state.handle(.tokenRefused(generation: 2, waiter: 1), at: Self.start)
        let refused = state.handle(.refreshFailed(attempt: 1, .rejected), at: Self.start)
        #expect(Self.text(refused).dropFirst() == ["write nothing", "[1] unauthorized"])
        guard case .ended(.refused) = state.session else {
            Issue.record("\(String(describing: state.session))")
            return
        }
    }
}

@Suite("A3 T8 the decisions after a 401")
struct RefusalDecisionTests {
    @Test("A3 the first 401 replaces the credential, the second ends the session")
    func phases() {
        var phase = AuthenticationPhase.first
        #expect(phase.handle(isRefusal: false, isReplayable: true) == .finish)
        #expect(phase.handle(isRefusal: true, isReplayable: false) == .replaceAndFinish)
        #expect(phase.handle(isRefusal: true, isReplayable: true) == .replaceAndResend)
        #expect(phase.handle(isRefusal: false, isReplayable: true) == .finish)
        #expect(phase.handle(isRefusal: true, isReplayable: true) == .giveUp)
    }

    @Test("T8 the provider is asked three times for one request")
    func questions() {
        var exchange = ChallengeExchange()
        #expect(exchange.handle(.none, canRepeat: true) == .findCredential(failureCount: 0, mayAsk: true))
        #expect(exchange.handle(.refused, canRepeat: true) == .findCredential(failureCount: 1, mayAsk: true))
        #expect(exchange.handle(.refused, canRepeat: true) == .findCredential(failureCount: 2, mayAsk: true))
        #expect(exchange.handle(.refused, canRepeat: true) == .findCredential(failureCount: 3, mayAsk: false))
        #expect(exchange.handle(.refused, canRepeat: false) == .finish)
    }

    @Test("T8 a stale nonce is not a refusal, and a request is sent six times at most")
    func staleNonces() {
        var exchange = ChallengeExchange()
        #expect(exchange.handle(.none, canRepeat: true) == .findCredential(failureCount: 0, mayAsk: true))
        for _ in 0..<4 { #expect(exchange.handle(.outdated, canRepeat: true) == .repeatAnswer) }
        #expect(exchange.handle(.outdated, canRepeat: true) == .finish)
    }
}
