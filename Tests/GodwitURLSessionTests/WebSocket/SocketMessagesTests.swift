import GodwitCore
import GodwitTesting
import GodwitURLSession
import Synchronization
import Testing

@Suite("SocketMessages", .timeLimit(.minutes(15)))
struct SocketMessagesTests {
    private let task = FakeSocketTask()
    private let listener = Listener()
    private let clock = TestClock()

    private func start(messageLimit: Int = 1 << 20) -> SocketMessages {
        let messages = SocketMessages(task, host: "live.example", messageLimit: messageLimit, clock: clock)
        messages.start(listener)
        return messages
    }

    // MARK: Reading

    @Test("W2 T3 one message is asked for at a time, and the next once it was taken")
    func oneAtATime() {
        let messages = start()
        for index in 1...3 {
            #expect(task.readCount == index)
            #expect(task.deliver(.success(.text("\(index)"))))
        }
        #expect(listener.said == ["1", "2", "3"])
        messages.abandon(nil)
    }

    @Test("W2 T3 a receiver that pauses gets no more messages until it resumes")
    func backPressure() {
        let messages = start()
        listener.state.withLock { $0.wantsMore = false }
        task.deliver(.success(.text("1")))
        #expect(task.readCount == 1)
        messages.resumeReading()
        messages.resumeReading()
        #expect(task.readCount == 2)
        messages.abandon(nil)
    }

    @Test("W2 T3 a request for more during a delivery isn't lost")
    func resumedMeanwhile() {
        let messages = start()
        listener.state.withLock { state in
            state.wantsMore = false
            state.onMessage = { messages.resumeReading() }
        }
        task.deliver(.success(.text("1")))
        #expect(task.readCount == 2)
        messages.abandon(nil)
        listener.state.withLock { $0.onMessage = nil }
    }

    @Test("W2 T3 bytes are bytes")
    func bytes() {
        let messages = start()
        task.deliver(.success(.binary(Data([1]))))
        #expect(listener.said == ["bytes"])
        messages.abandon(nil)
    }

    @Test(
        "W1 T3 a message beyond the limit ends it with .tooLarge, and the peer hears 1009",
        arguments: [false, true])
    func tooLarge(_ isFoundBySystem: Bool) {
        let messages = start(messageLimit: 3)
        task.deliver(isFoundBySystem ? .failure(POSIXError(.EMSGSIZE)) : .success(.text("1234")))
        #expect(listener.said == ["end \(NetworkError.Kind.tooLarge(limit: 3))"])
        messages.abandon(nil)
        #expect(task.ends == ["close 1009 "])
    }

    // MARK: Sending

    @Test("W2 T3 a send ends when the system has it, or says why not")
    func sends() {
        let messages = start()
        let outcomes = Watched<[NetworkError.Kind?]>([])
        for text in ["a", "b"] {
            messages.send(.text(text)) { error in outcomes.update { $0.append(error?.kind) } }
        }
        #expect(outcomes.value.isEmpty)
        task.endSend()
        task.endSend(URLError(.networkConnectionLost))
        #expect(task.state.withLock(\.sent) == [.text("a"), .text("b")])
        #expect(outcomes.value.count == 2 && outcomes.value.first == .some(nil))
        guard case .transport(.connectionLost)? = outcomes.value.last.flatMap(\.self) else {
            return #expect(Bool(false), "\(outcomes.value)")
        }
        messages.abandon(nil)
    }

    @Test("W2 T3 a send that waits at the end fails once, whatever the system says later")
    func pendingSend() {
        let messages = start()
        let count = Watched(0)
        messages.send(.text("a")) { error in if error != nil { count.update { $0 += 1 } } }
        messages.abandon(nil)
        #expect(count.value == 1)
        task.endSend(URLError(.cancelled))
        #expect(count.value == 1)
        messages.send(.text("b")) { error in if error != nil { count.update { $0 += 1 } } }
        #expect(count.value == 2)
        #expect(task.state.withLock(\.sent) == [.text("a")])
    }

    @Test("W3 T3 a pong comes with its ping's number; a ping that fails says nothing")
    func pings() {
        let messages = start()
        messages.ping(7)
        messages.ping(8)
        task.endPing()
        task.endPing(URLError(.networkConnectionLost))
        #expect(listener.said == ["pong 7"])
        messages.abandon(nil)
    }

    // MARK: The end

    @Test("W3 T3 a close frame tells more than the read that failed before it")
    func closedByPeer() {
        let messages = start()
        task.deliver(.failure(POSIXError(.ENOTCONN)))
        #expect(listener.said.isEmpty)
        #expect(task.ends == ["cancel"])
        messages.receiveClose(CloseContent(WebSocketCloseCode(4001), reason: "maintenance"))
        messages.complete(URLError(.cancelled))
        #expect(listener.said == ["close 4001 maintenance", "end"])
    }

    @Test("W3 T3 a close frame that only the task knows of is reported too, once")
    func closeFrameOfTask() {
        let messages = start()
        task.state.withLock { $0.closeFrame = CloseContent(.goingAway, reason: "bye") }
        task.deliver(.failure(POSIXError(.ENOTCONN)))
        messages.receiveClose(CloseContent(.goingAway, reason: "bye"))
        messages.complete(nil)
        #expect(listener.said == ["close 1001 bye", "end"])
        messages.send(.text("late")) { #expect($0 != nil) }
    }

    @Test("W3 T3 without a close frame, what went wrong first is reported, not that we canceled")
    func broken() throws {
        let messages = start()
        task.deliver(.failure(POSIXError(.ECONNRESET)))
        messages.complete(URLError(.cancelled))
        let end = try #require(listener.said.first)
        #expect(end.contains("connectionLost") && listener.said.count == 1)
    }

    @Test("W3 T3 our close frame is sent once, nothing is sent after it, and the end is a close frame")
    func closedByUs() {
        let messages = start()
        messages.close(.goingAway, reason: "bye")
        messages.close(.normalClosure, reason: "")
        #expect(task.ends == ["close 1001 bye"])
        messages.send(.text("late")) { #expect($0 != nil) }
        #expect(task.state.withLock(\.sent).isEmpty)
        task.deliver(.failure(POSIXError(.ENOTCONN)))
        #expect(task.ends == ["close 1001 bye"])
        messages.complete(nil)
        #expect(listener.said == ["close 1001 bye", "end"])
    }

    @Test("W3 T3 an abandoned connection sends a close frame, and is canceled without an answer")
    func abandoned() async throws {
        let messages = start()
        messages.abandon(.goingAway)
        messages.abandon(.goingAway)
        #expect(task.ends == ["close 1001 "])
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        try await task.ended.wait { $0 == ["close 1001 ", "cancel"] }
        task.deliver(.failure(URLError(.cancelled)))
        messages.complete(URLError(.cancelled))
        #expect(listener.said.isEmpty)
    }

    @Test("W2 T3 one that is released before it was started is canceled")
    func leftEarly() {
        do {
            let messages = SocketMessages(task, host: "live.example", messageLimit: 1)
            #expect(task.ends.isEmpty)
            _ = messages
        }
        #expect(task.ends == ["cancel"])
    }

    @Test("W3 T3 one that ended before it was started tells its end then")
    func endedEarly() {
        let messages = SocketMessages(task, host: "live.example", messageLimit: 1)
        messages.receiveClose(CloseContent(.tryAgainLater))
        messages.complete(nil)
        messages.start(listener)
        #expect(listener.said == ["close 1013 ", "end"])
        #expect(task.readCount == 0)
    }

    @Test("T3 a transport that shuts down cancels what is open")
    func shutDown() {
        let messages = start()
        messages.cancel()
        #expect(listener.said == ["end \(NetworkError.Kind.cancelled)"])
        messages.abandon(nil)
        #expect(task.ends == ["cancel"])
    }

    // MARK: Errors

    @Test(
        "X3 T3 the system's errors have their kinds",
        arguments: [
            (POSIXError(.ETIMEDOUT), "timedOut"), (POSIXError(.EPROTO), "protocolViolation"),
            (POSIXError(.ENOTCONN), "connectionLost"), (POSIXError(.ECANCELED), "cancelled"),
            (URLError(.dataLengthExceedsMaximum), "tooLarge"), (URLError(.networkConnectionLost), "connectionLost"),
            (URLError(.serverCertificateUntrusted), "untrustedCertificate"),
        ] as [(any Error, String)])
    func kinds(_ error: any Error, _ name: String) {
        let kind = SocketFailure.kind(of: error, host: "live.example", messageLimit: 9)
        #expect("\(kind)".contains(name))
    }
}
