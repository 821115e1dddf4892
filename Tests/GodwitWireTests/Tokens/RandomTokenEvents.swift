import GodwitTesting
import GodwitWire

/// Drives a `TokenRefresh` with random events, and checks what must hold whatever they are.
struct RandomTokenEvents {
    private var generator: SeededGenerator
    private var machine = TokenRefresh<Int>()
    private var lastWaiter: UInt64 = 0
    private var lastValue = 0
    private var isReading = false
    private var refreshes: [UInt64] = []
    private var issued: UInt64 = 0

    /// Those who came and were neither resumed nor canceled.
    private(set) var waiting: Set<UInt64> = []
    private(set) var faults: [String] = []

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    mutating func step() {
        switch Int.random(in: 0..<13, using: &generator) {
        case 0...2: send(.tokenNeeded(newWaiter()))
        case 3...4: send(.tokenRefused(generation: generation(), waiter: newWaiter()))
        case 5: send(.tokenRefused(generation: generation(), waiter: nil))
        case 6: cancel()
        case 7: send(.expiryNear(generation: generation()))
        case 8: send(Bool.random(using: &generator) ? .replaced(newValue()) : .replacementRefused(generation: issued))
        case 9: if isReading { endReading() }
        case 10: send(Bool.random(using: &generator) ? .expired(generation: issued) : .replaced(nil))
        case 11: send(.found(generation: generation(), newValue()))
        default: endRefresh()
        }
    }

    /// Ends what is in progress, so that nobody may be left waiting.
    mutating func settle() {
        if isReading { endReading() }
        while !refreshes.isEmpty { endRefresh() }
    }

    private mutating func send(_ event: TokenEvent<Int>) {
        let wasRefreshing = if case .refreshing = machine.state { true } else { false }
        for action in machine.handle(event) {
            switch action {
            case .read:
                check(!isReading, "read twice at once")
                isReading = true
            case .refresh(let attempt, let issue):
                check(!wasRefreshing, "refreshed twice at once")
                check(issue.generation <= issued, "refreshed a token that was never given out")
                refreshes.append(attempt)
            case .save, .clear: break
            case .resume(let waiters, let outcome): resume(waiters, outcome)
            }
        }
        if case .valid(let issue) = machine.state { issued = max(issued, issue.generation) }
        check(Set(machine.waiters) == waiting, "the machine waits for others than those who wait")
    }

    private mutating func resume(_ waiters: [UInt64], _ outcome: TokenOutcome<Int>) {
        for waiter in waiters { check(waiting.remove(waiter) != nil, "\(waiter) was resumed without waiting") }
        guard case .token(let issue) = outcome else { return }
        check(issue.generation >= issued, "an old token was given out")
    }

    private mutating func endReading() {
        isReading = false
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: send(.readFailed)
        case 1: send(.read(nil))
        default: send(.read(newValue()))
        }
    }

    private mutating func endRefresh() {
        guard let index = refreshes.indices.randomElement(using: &generator) else { return }
        let attempt = refreshes.remove(at: index)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: send(.refreshFailed(attempt: attempt, .rejected))
        case 1: send(.refreshFailed(attempt: attempt, .passing))
        default: send(.refreshed(attempt: attempt, newValue()))
        }
    }

    private mutating func cancel() {
        guard let waiter = waiting.sorted().randomElement(using: &generator) else { return }
        waiting.remove(waiter)
        send(.cancelled(waiter))
    }

    private mutating func newWaiter() -> UInt64 {
        lastWaiter += 1
        waiting.insert(lastWaiter)
        return lastWaiter
    }

    private mutating func newValue() -> Int {
        lastValue += 1
        return lastValue
    }

    private mutating func generation() -> UInt64 {
        UInt64.random(in: (issued > 2 ? issued - 2 : 0)...issued, using: &generator)
    }

    private mutating func check(_ holds: Bool, _ fault: String) {
        if !holds { faults.append(fault) }
    }
}
