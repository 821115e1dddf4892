#if os(Linux)
import Godwit

/// The engine with a fault, which a scenario must find.
struct FaultyTransport: HTTPTransport {
    enum Fault: Sendable {
        /// Takes what came before an error for the whole response.
        case swallowsErrors
        /// Sends whatever failed up to twice more.
        case sendsAgain
        /// Never returns after an error.
        case hangs
        /// Returns when the task is canceled, but leaves the exchange running.
        case abandons
        /// Has no limits of time and size.
        case ignoresLimits
        /// Gives up after 50 ms.
        case endsEarly
        /// Reports every response as canceled.
        case losesWords
    }

    let engine: SocketTransport
    let fault: Fault

    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        switch fault {
        case .swallowsErrors: return try await swallow(request)
        case .sendsAgain: return try await sendAgain(request)
        case .hangs: return try await hang(request)
        case .abandons: return try await abandon(request)
        case .ignoresLimits:
            var request = request
            request.options.timeouts = Timeouts()
            request.delivery = .streamed
            return try await engine.send(request)
        case .endsEarly:
            var request = request
            request.options.timeouts.inactivity = .milliseconds(50)
            return try await engine.send(request)
        case .losesWords:
            _ = try await engine.send(request)
            throw NetworkError(.cancelled, phase: .receiving, request: request)
        }
    }

    private func swallow(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        var request = request
        request.delivery = .streamed
        var response = try await engine.send(request)
        var body = Data()
        do {
            for try await chunk in response.body { body.append(chunk) }
        } catch {}
        response.body = .bytes(body)
        return response
    }

    private func sendAgain(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        var (sendings, refusals) = (0, 0)
        while sendings < 2 {
            do throws(NetworkError) {
                return try await engine.send(request)
            } catch {
                // A server that is just restarting has been sent nothing.
                guard case .transport(.cannotConnect) = error.kind, refusals < 200 else {
                    sendings += 1
                    continue
                }
                refusals += 1
                try? await Task.sleep(for: .milliseconds(5))
            }
        }
        return try await engine.send(request)
    }

    private func hang(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        do throws(NetworkError) {
            return try await engine.send(request)
        } catch {
            // A task of its own, which doesn't end when this one is canceled.
            await Task { try? await Task.sleep(for: .seconds(3600)) }.value
            throw error
        }
    }

    private func abandon(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        var request = request
        request.delivery = .buffered
        let result = AsyncStream<Result<HTTPResponse, NetworkError>>.makeStream()
        Task { [engine, request] in
            do throws(NetworkError) {
                result.continuation.yield(.success(try await engine.send(request)))
            } catch {
                result.continuation.yield(.failure(error))
            }
        }
        for await value in result.stream { return try value.get() }
        throw NetworkError(.cancelled, phase: .receiving, request: request)
    }
}
#endif
