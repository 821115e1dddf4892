import GodwitSupport

/// When to read, refresh and clear a token, and which callers wait: a state machine without time or tasks.
///
/// ```text
/// unread ── token needed ──▶ reading ── read ──▶ valid ⇄ refreshing ── rejected ──▶ none
///                                       └─ nothing stored ──▶ none       └─ other failure ──▶ failed
/// ```
///
/// Takes events and returns actions, to be performed in order. Every waiter of an event is in exactly one later
/// `.resume`, unless it is canceled first. At most one refresh whose outcome counts is in progress.
package struct TokenRefresh<Value: Sendable>: Sendable {
    /// A waiting caller, by a unique number.
    package typealias Waiter = UInt64

    /// A token and its number in the sequence of tokens: rejecting an earlier token says nothing about a later one.
    package struct Issue: Sendable {
        /// The token.
        package let value: Value
        /// The position in the sequence, from 1.
        package let generation: UInt64
        /// Whether it was found in the store in place of another token: another process has refreshed that one.
        package let isFound: Bool
    }

    /// The state of the machine.
    package enum State: Sendable {
        /// The store wasn't read yet.
        case unread
        /// The store is being read.
        case reading(waiters: [Waiter])
        /// Signed out.
        case none
        /// A token that is valid as far as known.
        case valid(Issue)
        /// A refresh is in progress.
        case refreshing(Attempt)
        /// The token was rejected and couldn't be refreshed; another attempt may succeed.
        case failed(Issue)
    }

    /// A refresh in progress.
    package struct Attempt: Sendable {
        /// The token to be replaced.
        package let issue: Issue
        /// Why it is replaced.
        package let cause: Cause
        /// The callers waiting for the outcome, in arrival order.
        package var waiters: [Waiter]
        /// Distinguishes this attempt from earlier ones.
        package let number: UInt64
    }

    /// Why a token is refreshed.
    package enum Cause: Sendable, Hashable {
        /// It still works, but expires soon.
        case expiryNear
        /// It no longer works.
        case refused
    }

    /// The state of the machine.
    package private(set) var state = State.unread

    private var generation: UInt64 = 0
    private var attempts: UInt64 = 0

    /// Creates a machine that hasn't read the store.
    package init() {}

    /// The token that can be used immediately; `nil` if a caller must wait. A valid token is used while it is replaced.
    package var current: Issue? {
        switch state {
        case .valid(let issue): issue
        case .refreshing(let attempt) where attempt.cause == .expiryNear: attempt.issue
        case .unread, .reading, .none, .refreshing, .failed: nil
        }
    }

    /// Handles an event and returns the actions to perform.
    package mutating func handle(_ event: TokenEvent<Value>) -> [TokenAction<Value>] {
        switch event {
        case .tokenNeeded(let waiter): needed(by: waiter)
        case .tokenRefused(let generation, let waiter): refused(generation, waiter)
        case .replacementRefused(let generation): givenUp(generation)
        case .expiryNear(let generation): due(generation, .expiryNear)
        case .expired(let generation): due(generation, .refused)
        case .read(let value): read(value)
        case .readFailed: readFailed()
        case .refreshed(let attempt, let value): refreshed(attempt, value)
        case .refreshFailed(let attempt, let failure): refreshFailed(attempt, failure)
        case .cancelled(let waiter): cancelled(waiter)
        case .replaced(let value): replaced(by: value)
        case .found(let generation, let value): found(value, inPlaceOf: generation)
        }
    }
}

// Callers.
extension TokenRefresh {
    private mutating func needed(by waiter: Waiter) -> [TokenAction<Value>] {
        switch state {
        case .unread:
            state = .reading(waiters: [waiter])
            return [.read]
        case .valid(let issue): return [.resume([waiter], .token(issue))]
        case .failed(let issue): return [refresh(issue, .refused, waiters: [waiter])]
        case .none: return [.resume([waiter], .unauthorized)]
        case .refreshing(let attempt) where attempt.cause == .expiryNear:
            return [.resume([waiter], .token(attempt.issue))]
        case .reading, .refreshing:
            join(waiter)
            return []
        }
    }

    private mutating func refused(_ generation: UInt64, _ waiter: Waiter?) -> [TokenAction<Value>] {
        if case .valid(let issue) = state, issue.generation == generation {
            return [refresh(issue, .refused, waiters: waiter.map { [$0] } ?? [])]
        }
        if case .refreshing(let attempt) = state, attempt.issue.generation == generation, attempt.cause != .refused {
            state = .refreshing(attempt.because(.refused))
        }
        return waiter.map { needed(by: $0) } ?? []
    }

    /// The token of a refresh was rejected, too. If it isn't current anymore, nothing is known.
    private mutating func givenUp(_ generation: UInt64) -> [TokenAction<Value>] {
        guard case .valid(let issue) = state, issue.generation == generation else { return [] }
        state = .none
        return [.clear]
    }

    private mutating func due(_ generation: UInt64, _ cause: Cause) -> [TokenAction<Value>] {
        if case .refreshing(let attempt) = state, attempt.issue.generation == generation, cause == .refused {
            state = .refreshing(attempt.because(.refused))
            return []
        }
        guard case .valid(let issue) = state, issue.generation == generation else { return [] }
        return [refresh(issue, cause, waiters: [])]
    }

    private mutating func cancelled(_ waiter: Waiter) -> [TokenAction<Value>] {
        switch state {
        case .reading(let waiters):
            state = .reading(waiters: waiters.filter { $0 != waiter })
        case .refreshing(var attempt):
            attempt.waiters.removeAll { $0 == waiter }
            state = .refreshing(attempt)
        case .unread, .none, .valid, .failed: break
        }
        return []
    }

    private mutating func join(_ waiter: Waiter) {
        switch state {
        case .reading(let waiters):
            state = .reading(waiters: waiters + [waiter])
        case .refreshing(var attempt):
            // Cleared first, so that the list isn't copied for each of a thousand callers.
            state = .none
            attempt.waiters.append(waiter)
            state = .refreshing(attempt)
        case .unread, .none, .valid, .failed: break
        }
    }
}

// Outcomes.
extension TokenRefresh {
    private mutating func read(_ value: Value?) -> [TokenAction<Value>] {
        guard case .reading(let waiters) = state else { return [] }
        guard let value else {
            state = .none
            return resume(waiters, .unauthorized)
        }
        let issue = issue(value)
        state = .valid(issue)
        return resume(waiters, .token(issue))
    }

    private mutating func readFailed() -> [TokenAction<Value>] {
        guard case .reading(let waiters) = state else { return [] }
        state = .unread
        return resume(waiters, .failed)
    }

    private mutating func refreshed(_ number: UInt64, _ value: Value) -> [TokenAction<Value>] {
        guard case .refreshing(let attempt) = state, attempt.number == number else { return [] }
        let issue = issue(value)
        state = .valid(issue)
        return [.save(value)] + resume(attempt.waiters, .token(issue))
    }

    private mutating func refreshFailed(_ number: UInt64, _ failure: TokenFailure) -> [TokenAction<Value>] {
        guard case .refreshing(let attempt) = state, attempt.number == number else { return [] }
        switch (failure, attempt.cause) {
        case (.rejected, _):
            state = .none
            return [.clear] + resume(attempt.waiters, .unauthorized)
        case (.passing, .expiryNear):
            state = .valid(attempt.issue)
            return resume(attempt.waiters, .token(attempt.issue))
        case (.passing, .refused):
            state = .failed(attempt.issue)
            return resume(attempt.waiters, .failed)
        }
    }

    /// The user signed in or out: refreshes in progress no longer count.
    private mutating func replaced(by value: Value?) -> [TokenAction<Value>] {
        let waiters = waiters
        guard let value else {
            state = .none
            return [.clear] + resume(waiters, .unauthorized)
        }
        let issue = issue(value)
        state = .valid(issue)
        return [.save(value)] + resume(waiters, .token(issue))
    }

    /// Another process has refreshed a token. If that isn't current anymore, nothing is known.
    private mutating func found(_ value: Value, inPlaceOf generation: UInt64) -> [TokenAction<Value>] {
        guard current?.generation == generation || isRefreshing(generation) else { return [] }
        let waiters = waiters
        let issue = issue(value, isFound: true)
        state = .valid(issue)
        return resume(waiters, .token(issue))
    }

    private func isRefreshing(_ generation: UInt64) -> Bool {
        if case .refreshing(let attempt) = state { attempt.issue.generation == generation } else { false }
    }

    /// The callers that are waiting.
    package var waiters: [Waiter] {
        switch state {
        case .reading(let waiters): waiters
        case .refreshing(let attempt): attempt.waiters
        case .unread, .none, .valid, .failed: []
        }
    }

    private mutating func refresh(_ issue: Issue, _ cause: Cause, waiters: [Waiter]) -> TokenAction<Value> {
        attempts += 1
        state = .refreshing(Attempt(issue: issue, cause: cause, waiters: waiters, number: attempts))
        return .refresh(attempt: attempts, issue)
    }

    private mutating func issue(_ value: Value, isFound: Bool = false) -> Issue {
        generation += 1
        return Issue(value: value, generation: generation, isFound: isFound)
    }

    private func resume(_ waiters: [Waiter], _ outcome: TokenOutcome<Value>) -> [TokenAction<Value>] {
        waiters.isEmpty ? [] : [.resume(waiters, outcome)]
    }
}

extension TokenRefresh.Attempt {
    fileprivate func because(_ cause: TokenRefresh.Cause) -> Self {
        Self(issue: issue, cause: cause, waiters: waiters, number: number)
    }
}

/// An event of a ``TokenRefresh``.
package enum TokenEvent<Value: Sendable>: Sendable {
    /// A request needs a token.
    case tokenNeeded(UInt64)
    /// The server answered a token with 401; the waiter, if any, needs another.
    case tokenRefused(generation: UInt64, waiter: UInt64?)
    /// The server answered with 401 again, to the token that replaced a refused one.
    case replacementRefused(generation: UInt64)
    /// A token will expire soon.
    case expiryNear(generation: UInt64)
    /// A token has expired.
    case expired(generation: UInt64)
    /// The store was read; `nil` if it is empty.
    case read(Value?)
    /// The store could not be read.
    case readFailed
    /// A refresh returned a token.
    case refreshed(attempt: UInt64, Value)
    /// A refresh failed.
    case refreshFailed(attempt: UInt64, TokenFailure)
    /// A waiter was canceled.
    case cancelled(UInt64)
    /// The user signed in, or out.
    case replaced(Value?)
    /// The store has another token in place of one.
    case found(generation: UInt64, Value)
}

/// An action requested by a ``TokenRefresh``.
package enum TokenAction<Value: Sendable>: Sendable {
    /// Read the store and report the result.
    case read
    /// Refresh this token and report the outcome under this number.
    case refresh(attempt: UInt64, TokenRefresh<Value>.Issue)
    /// Store this token.
    case save(Value)
    /// Clear the store.
    case clear
    /// Resume these waiters.
    case resume([UInt64], TokenOutcome<Value>)
}

/// The result for a waiter of a ``TokenRefresh``.
package enum TokenOutcome<Value: Sendable>: Sendable {
    /// A token.
    case token(TokenRefresh<Value>.Issue)
    /// No token, and retrying doesn't help: the user must sign in.
    case unauthorized
    /// No token, for a reason that may pass.
    case failed
}

/// Why a refresh failed.
package enum TokenFailure: Error, Sendable, Hashable {
    /// The server rejected the refresh token.
    case rejected
    /// A transient failure, such as a lost connection.
    case passing
}
