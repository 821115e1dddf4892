import GodwitSupport
import Testing

@Suite("Waiter")
struct WaiterTests {
    @Test("A value that comes before the task waits is kept")
    func early() async {
        let waiter = Waiter<Int>()
        waiter.resume(returning: 1)
        #expect(await waiter.value() == 1)
    }

    @Test("The first value counts")
    func first() async {
        let waiter = Waiter<Int>()
        for value in 1...3 { waiter.resume(returning: value) }
        #expect(await waiter.value() == 1)
    }

    @Test("A canceled task continues with the value of its cancellation")
    func canceled() async {
        let waiter = Waiter<Int>()
        let task = Task { await waiter.value { waiter.resume(returning: -1) } }
        task.cancel()
        #expect(await task.value == -1)
    }

    @Test("A phase takes a value once, before a task waits or after")
    func phases() async {
        var resolved = WaiterPhase<Int>.pending
        let early = (resolved.resolve(1), resolved.resolve(2))
        #expect(early.0 == nil && early.1 == nil)
        let value = await withUnsafeContinuation { (continuation: UnsafeContinuation<Int, Never>) in
            continuation.resume(returning: resolved.suspend(continuation) ?? 0)
        }
        let late = resolved.resolve(3)
        #expect(value == 1 && late == nil)
        var suspended = WaiterPhase<Int>.pending
        let resumed = await withUnsafeContinuation { (continuation: UnsafeContinuation<Int, Never>) in
            let known = suspended.suspend(continuation)
            let waiting = (suspended.resolve(4), suspended.resolve(5))
            #expect(known == nil && waiting.0 != nil && waiting.1 == nil)
            waiting.0?.resume(returning: 4)
        }
        #expect(resumed == 4)
    }

    @Test("Waiters leave in the order in which they came, each once")
    func order() {
        var waiters = Waiters<Int>()
        let (one, two, three) = (waiters.add(), waiters.add(), waiters.add())
        let removed = (waiters.remove(two), waiters.remove(two))
        #expect(removed == (true, false))
        let rest = waiters.takeAll()
        #expect(rest.map(ObjectIdentifier.init) == [one, three].map(ObjectIdentifier.init) && waiters.isEmpty)
    }
}
