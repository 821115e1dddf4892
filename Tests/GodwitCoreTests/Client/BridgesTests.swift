import GodwitCore
import Testing

@Suite("E10 completion handlers and results", .timeLimit(.minutes(15)))
struct BridgesTests {
    @Test("E10 a result holds the value or the error")
    func result() async throws {
        let value = await articles(ScriptedTransport(200, #"{"id":1,"title":"a"}"#)).result(of: .article(id: 1))
        #expect(try value.get().id == 1)
        let error = await articles(ScriptedTransport(404)).result(of: .article(id: 1))
        #expect(throws: NetworkError.self) { try error.get() }
    }

    @Test("E10 a completion handler is called once with the outcome", arguments: [200, 404])
    func completion(status: Int) async throws {
        let api = articles(ScriptedTransport(status, #"{"id":1,"title":"a"}"#))
        let calls = Collected<Bool>()
        let isSuccess = await withCheckedContinuation { continuation in
            api.send(.article(id: 1)) { result in
                calls.append(true)
                continuation.resume(returning: (try? result.get()) != nil)
            }
        }
        #expect(isSuccess == (status == 200))
        #expect(calls.values.count == 1)
    }

    @Test("E10 a canceled call completes once, with .cancelled")
    func cancellation() async throws {
        let started = AsyncStream<Void>.makeStream()
        let hanging = ScriptedTransport { request throws(NetworkError) in
            started.continuation.yield()
            let forever = AsyncStream<Void> { _ in }
            for await _ in forever {}
            throw NetworkError(.cancelled, phase: .receiving, request: request)
        }
        let api = articles(hanging)
        let outcomes = AsyncStream<NetworkError.Kind?>.makeStream()
        let handle = api.send(.article(id: 1)) { result in
            if case .failure(let error) = result {
                outcomes.continuation.yield(error.kind)
            } else {
                outcomes.continuation.yield(nil)
            }
        }
        for await _ in started.stream { break }
        handle.cancel()
        handle.cancel()
        for await kind in outcomes.stream {
            #expect(kind == .cancelled)
            break
        }
    }
}
