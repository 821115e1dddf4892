import Godwit
import Synchronization

// Sign-in, a cache, a log and an archive as another package would write them: this target sees public API alone.

/// Adds a seat's number, a secret whose name doesn't show that it is one. Calls that are refused share one renewal.
struct SeatSignIn: Middleware {
    let seats: Seats

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        guard call.isConfidential else {
            throw NetworkError(.invalidRequest(reason: "a seat needs TLS"), phase: .middleware, request: call.request)
        }
        let seat = await seats.seat(after: nil)
        let response = try await next(call.taking(seat))
        guard response.head.status == .unauthorized, call.request.body?.isReplayable ?? true else { return response }
        var again = call.taking(await seats.seat(after: seat))
        again.startAttempt(after: response)
        return try await next(again)
    }
}

extension Call {
    fileprivate func taking(_ seat: String) -> Call {
        var call = self
        call.request.fields["X-Seat"] = seat
        call.request.hide(seat)
        call.originBoundFields.insert("X-Seat")
        return call
    }
}

/// The seat in use.
actor Seats {
    private var seat: String
    private var renewal: Task<String, Never>?
    private let renew: @Sendable () async -> String

    init(_ seat: String, renew: @escaping @Sendable () async -> String) {
        (self.seat, self.renew) = (seat, renew)
    }

    /// The seat; another one if it was refused.
    func seat(after refused: String?) async -> String {
        guard seat == refused else { return seat }
        let task = renewal ?? Task { await renew() }
        renewal = task
        let new = await task.value
        if seat == refused { (seat, renewal) = (new, nil) }
        return new
    }
}

/// Keeps complete responses to GET, and returns one if the server fails.
final class LastGoodResponse: Middleware {
    private struct Stored {
        let head: HTTPResponseHead
        let body: Data
    }

    private let stored = Mutex<[HTTPURL: Stored]>([:])

    func handles(_ call: Call) -> Bool { call.request.method == .get }

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        var response = try await next(call)
        let url = call.request.url
        if response.head.status == .ok {
            let body = try await response.body.collect(upTo: 1 << 20)
            stored.withLock { $0[url] = Stored(head: response.head, body: body) }
            response.body = .bytes(body)
        } else if response.head.status.code >= 500, let kept = stored.withLock({ $0[url] }) {
            response.cacheUse = .insteadOf(response.head)
            response.metrics.source = .cache
            (response.head, response.body) = (kept.head, .bytes(kept.body))
        }
        return response
    }
}

/// One line for each call.
struct LineLog: Middleware {
    let write: @Sendable (String) -> Void

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        do throws(NetworkError) {
            let response = try await next(call)
            write("\(response.request) \(response.head.status) from \(response.metrics.source)")
            return response
        } catch {
            write("\(error)")
            throw error
        }
    }
}

/// The requests that were sent, as a HAR 1.2 file.
final class Archive: ObservingMiddleware {
    struct File: Codable {
        struct Log: Codable {
            var version = "1.2"
            var entries: [Entry] = []
        }
        struct Entry: Codable {
            let request: Request
            let response: Response
        }
        struct Request: Codable {
            let method: String
            let url: String
            let headers: [Field]
        }
        struct Response: Codable {
            let status: Int
            let headers: [Field]
        }
        struct Field: Codable {
            let name: String
            let value: String
        }

        var log = Log()
    }

    private let file = Mutex(File())

    var contents: File { file.withLock(\.self) }

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        let added = next.fieldsAddedByTransport(to: call.request)
        let response = try await next(call)
        let request = response.request
        let shown = { (fields: HTTPFields) in
            fields.map { field in
                File.Field(
                    name: "\(field.name)", value: field.name.isSensitive ? "-" : request.redacted(field.value))
            }
        }
        let entry = File.Entry(
            request: File.Request(
                method: "\(request.method)", url: request.redacted("\(request.url)"),
                headers: shown(added) + shown(request.fields)),
            response: File.Response(status: response.head.status.code, headers: shown(response.head.fields)))
        file.withLock { $0.log.entries.append(entry) }
        return response
    }
}
