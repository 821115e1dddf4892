/// Who waits for a token, who refreshes it, and when it is given up: a state machine without time or tasks.
///
/// ```text
/// unread ── token needed ──▶ reading ── read ──▶ valid ⇄ refreshing ── rejected ──▶ none
///                                       └─ nothing there ──▶ none        └─ failed otherwise ──▶ failed
/// ```
///
/// It is told of events and answers with actions, in the order in which to take them. Every waiter that came with an
/// event is in exactly one later `.resume`, unless it is cancelled first. At most one refresh is under way whose
/// outcome still counts.
package struct TokenRefresh<Value: Sendable>: Sendable {
    /// A caller that waits, by a number that no other has.
    package typealias Waiter = UInt64

    /// A token, and which one in the sequence of tokens it is: a rejection of an earlier one says nothing of a later.
    package struct Issue: Sendable {
        /// The token.
        package let value: Value
        /// Its place in the sequence, from 1.
        package let generation: UInt64
    }

    /// Where the machine stands.
    package enum State: Sendable {
        /// The store was not asked yet.
        case unread
        /// The store is being asked.
        case reading(waiters: [Waiter])
        /// Nobody is signed in.
        case none
        /// A token that is good as far as anybody knows.
        case valid(Issue)
        /// One refresh is under way.
        case refreshing(Attempt)
        /// The token is not accepted any more and could not be refreshed; another try may succeed.
        case failed(Issue)
    }

    /// A refresh that is under way.
    package struct Attempt: Sendable {
        /// The token to be replaced.
        package let issue: Issue
        /// Why.
        package let cause: Cause
        /// Who waits for the outcome, in the order they came.
        package var waiters: [Waiter]
        /// Tells this attempt from those before it.
        package let number: UInt64
    }

    /// Why a token is refreshed.
    package enum Cause: Sendable, Hashable {
        /// It still works, but not for long.
        case expiryNear
        /// It does not work any more.
        case refused
    }

    /// Where the machine stands.
    package private(set) var state = State.unread

    private var generation: UInt64 = 0
    private var attempts: UInt64 = 0

    /// Makes a machine that does not know yet what the store holds.
    package init() {}

    /// The token to use at once; nil if a caller has to wait. One that still works is used while it is replaced.
    package var current: Issue? {
        switch state {
        case .valid(let issue): issue
        case .refreshing(let attempt) where attempt.cause == .expiryNear: attempt.issue
        case .unread, .reading, .none, .refreshing, .failed: nil
        }
    }

    /// Takes an event, and says what to do about it.
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

    /// A token that came from a refresh was refused too. Where it is no longer the current one, nothing is known.
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
            // Emptied first, so that the list is not copied for each of a thousand callers.
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

    /// Someone signed in or out: what is under way counts no longer.
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

    /// Who waits now.
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

    private mutating func issue(_ value: Value) -> Issue {
        generation += 1
        return Issue(value: value, generation: generation)
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

/// What a ``TokenRefresh`` is told.
package enum TokenEvent<Value: Sendable>: Sendable {
    /// A request needs a token.
    case tokenNeeded(UInt64)
    /// The server answered 401 to a token; the waiter, if there is one, wants another.
    case tokenRefused(generation: UInt64, waiter: UInt64?)
    /// The server answered 401 again, to the token that replaced a refused one.
    case replacementRefused(generation: UInt64)
    /// A token will expire soon.
    case expiryNear(generation: UInt64)
    /// A token has expired.
    case expired(generation: UInt64)
    /// The store was read; nil where it holds nothing.
    case read(Value?)
    /// The store could not be read.
    case readFailed
    /// A refresh brought a token.
    case refreshed(attempt: UInt64, Value)
    /// A refresh brought none.
    case refreshFailed(attempt: UInt64, TokenFailure)
    /// A waiter does not wait any more.
    case cancelled(UInt64)
    /// Someone signed in, or out.
    case replaced(Value?)
}

/// What a ``TokenRefresh`` wants done.
package enum TokenAction<Value: Sendable>: Sendable {
    /// Read the store, and tell what was there.
    case read
    /// Refresh this token, and tell the outcome under this number.
    case refresh(attempt: UInt64, TokenRefresh<Value>.Issue)
    /// Keep this token.
    case save(Value)
    /// Keep none.
    case clear
    /// Let these waiters go.
    case resume([UInt64], TokenOutcome<Value>)
}

/// What a waiter of a ``TokenRefresh`` gets.
package enum TokenOutcome<Value: Sendable>: Sendable {
    /// A token.
    case token(TokenRefresh<Value>.Issue)
    /// None, and trying again does not help: someone has to sign in.
    case unauthorized
    /// None, for a reason that may pass.
    case failed
}

/// Why a refresh brought no token.
package enum TokenFailure: Error, Sendable, Hashable {
    /// The server does not accept the refresh token.
    case rejected
    /// Something that may pass, such as a lost connection.
    case passing
}
