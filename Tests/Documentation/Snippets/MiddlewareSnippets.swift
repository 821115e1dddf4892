import Godwit

// snippet: stopwatch
struct Stopwatch: Middleware {
    let note: @Sendable (String, Duration) -> Void

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        let start = ContinuousClock.now
        defer { note("\(call.request.method) \(call.request.url.path)", ContinuousClock.now - start) }
        return try await next(call)
    }
}
// end

// snippet: signing
struct APIKey: RequestMiddleware {
    let key: String

    func prepare(_ call: inout Call) {
        call.request.fields["X-API-Key"] = key
    }
}
// end

// snippet: reviewing
struct UntilReady: ReviewingMiddleware {
    func review(_ outcome: CallOutcome, of call: Call, sendings: Int) -> Review {
        guard case .success(let response) = outcome, response.head.status == .accepted,
            call.request.method.isSafe, sendings < 5
        else { return .finish(outcome) }
        var again = call
        again.startAttempt(after: response)
        return .resend(again)
    }
}
// end

// snippet: admitting
struct Gate: AdmittingMiddleware {
    let isOpen: @Sendable () -> Bool
    let opening: @Sendable () async throws(NetworkError) -> Void

    func admit(_ call: inout Call, next: Next) -> Admission? {
        isOpen() ? Admission() : nil
    }

    func wait(for call: Call) async throws(NetworkError) -> Admission {
        try await opening()
        return Admission { outcome in
            print("passed after a wait")
            return outcome
        }
    }
}
// end

// snippet: option
enum Region: RequestOption {
    static let defaultValue = "eu"
}

extension RequestOptions {
    var region: String {
        get { self[Region.self] }
        set { self[Region.self] = newValue }
    }
}
// end

// snippet: observing
struct WireLog: ObservingMiddleware {
    let print: @Sendable (String) -> Void

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        let added = next.fieldsAddedByTransport(to: call.request)
        for field in added where !field.name.isSensitive { print("> \(field.name): \(field.value)") }
        var response = try await next(call)
        print("< \(response.head.status.code)")
        response.body = response.body.observed { [print] step in
            if case .chunk(let data) = step { print("< \(data.count) bytes") }
        }
        return response
    }
}
// end

// snippet: hiding
struct Seat: RequestMiddleware {
    let seat: String

    func prepare(_ call: inout Call) {
        guard call.isConfidential else { return }
        call.request.fields["X-Seat"] = seat
        call.request.hide(seat)  // in logs, errors, recordings and traces, wherever it is repeated
        call.originBoundFields.insert("X-Seat")  // no redirect takes it to another origin
    }
}
// end

// snippet: preparing-later
struct Attested: Middleware {
    let attest: @Sendable (HTTPRequest) async throws(NetworkError) -> String

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        var call = call
        call.request.fields["X-Attestation"] = try await attest(call.request)
        return try await next(call)
    }
}
// end

// snippet: answering-files
struct BundledFiles: Middleware {
    let folder: URL

    func handles(_ call: Call) -> Bool { call.request.url.host == "files.invalid" }

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        let file = folder.appending(path: call.request.url.path)
        guard FileManager.default.isReadableFile(atPath: file.path) else {
            return HTTPResponse(head: HTTPResponseHead(status: .notFound), request: call.request)
        }
        return HTTPResponse(
            head: HTTPResponseHead(status: .ok), body: .file(at: file), request: call.request)
    }
}
// end

// snippet: answering
struct Maintenance: Middleware {
    let isOn: @Sendable () -> Bool

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        guard isOn() else { return try await next(call) }
        throw NetworkError(.server(status: 503), phase: .middleware, request: call.request)
    }
}
// end

enum MiddlewareSnippets {
    static func adding(to transport: some HTTPTransport) -> APIClient {
        // snippet: adding
        let api = APIClient(baseURL: "https://api.example.com/v1", transport: transport) {
            $0.middleware.append(Stopwatch { print($0, $1) })  // once for each call
            $0.attemptMiddleware.append(APIKey(key: "…"))  // for each request that goes out
        }
        // end
        return api
    }

    static func chain(_ transport: some HTTPTransport) -> Chain {
        // snippet: chain
        let polite = Chain([DefaultFields([.from: "bird@example.com"]), Redirects()], over: transport)
        // end
        return polite
    }
}

extension HTTPField.Name {
    static let from: HTTPField.Name = "From"
}
