import GodwitSupport
import Synchronization

/// An exchange as a recorder observed it. Texts are made when its entry is read or written: most entries are replaced
/// by later ones before.
final class ObservedExchange: Sendable {
    private enum Content {
        case observed(ObservedRequest, [ObservedStep])
        case made(HAR.Entry)
    }

    private let content: Mutex<Content>

    init(_ request: ObservedRequest) {
        content = Mutex(.observed(request, []))
    }

    /// The entry so far.
    var entry: HAR.Entry {
        switch content.withLock(\.self) {
        case .observed(let request, let steps): request.entry(after: steps)
        case .made(let entry): entry
        }
    }

    /// The approximate bytes in memory.
    var weight: Int {
        switch content.withLock(\.self) {
        case .observed(let request, let steps): steps.reduce(request.weight) { $0 + $1.weight }
        case .made(let entry): entry.weight
        }
    }

    func note(_ step: ObservedStep) {
        content.withLock { content in
            switch content {
            case .observed(let request, var steps):
                // The array would otherwise be copied.
                content = .observed(request, [])
                steps.append(step)
                content = .observed(request, steps)
            case .made(var entry):
                entry.take(step)
                content = .made(entry)
            }
        }
    }

    /// Ends the exchange. If what was observed includes bodies, its entry is made now, so that they aren't kept.
    func end() {
        content.withLock { content in
            guard case .observed(let request, let steps) = content else { return }
            if let request = request.kept, let steps = ObservedStep.kept(steps) {
                content = .observed(request, steps)
            } else {
                content = .made(request.entry(after: steps))
            }
        }
    }
}

/// A request that was sent, and what a text of it needs.
struct ObservedRequest: Sendable {
    /// Without the secrets of the request.
    let text: HARText
    let start: Date
    private var request: HTTPRequest
    private let added: HTTPFields
    private let body: HAR.SentBody

    /// - Parameter added: The fields that the transport adds.
    init(_ call: Call, adding added: HTTPFields, _ text: HARText, at start: Date) {
        self.text = text.adding(call.originBoundFields, call.secretQueryItems)
        self.start = start
        self.added = added
        request = call.request.alone
        body = self.text.body(of: call.request)
    }

    func entry(after steps: [ObservedStep]) -> HAR.Entry {
        var entry = HAR.Entry(
            startedDateTime: ISO8601.text(start) ?? "1970-01-01T00:00:00Z", time: 0,
            request: text.adding(request).request(request, adding: added, body), response: HARText.noResponse,
            timings: HAR.Timings())
        for step in steps {
            if case .response(let head, let content, let metrics, let other, let time) = step {
                entry.take(text.adding(other ?? request).response(head, content), metrics, after: time)
            } else {
                entry.take(step)
            }
        }
        return entry
    }

    /// The same for an exchange that has ended; `nil` if it includes bodies.
    var kept: ObservedRequest? {
        guard let request = request.kept else { return nil }
        var kept = self
        kept.request = request
        return kept
    }

    var weight: Int { 1024 + (body.data?.text.utf8.count ?? 0) }
}

/// What happened to a request.
enum ObservedStep: Sendable {
    /// - Parameters:
    ///   - request: As it was sent, after inner middlewares; `nil` if they haven't changed it.
    ///   - after: The time since the request.
    case response(HTTPResponseHead, HAR.Content, TransferMetrics, request: HTTPRequest?, after: Duration)
    /// - Parameter received: The number of bytes of the decoded body, if counted.
    case metrics(TransferMetrics, received: Int64?)
    case body(HAR.Content)
    /// - Parameter message: The error without secrets.
    case error(String, after: Duration)

    var weight: Int {
        switch self {
        case .response(_, let content, _, _, _), .body(let content): content.text?.utf8.count ?? 0
        case .metrics, .error: 0
        }
    }

    /// The same for an exchange that has ended; `nil` if they include bodies.
    static func kept(_ steps: [ObservedStep]) -> [ObservedStep]? {
        var kept = steps
        for (index, step) in steps.enumerated() {
            guard case .response(let head, let content, let metrics, let request?, let time) = step else { continue }
            guard let request = request.kept else { return nil }
            kept[index] = .response(head, content, metrics, request: request, after: time)
        }
        return kept
    }
}

extension HTTPRequest {
    /// The request without what would stay alive with it: options, a stream, a destination.
    var alone: HTTPRequest {
        let body = (body?.bytesInMemory ?? 0) > 0 ? body : nil
        var request = HTTPRequest(method: method, url: url, fields: fields, body: body)
        request.secrets = secrets
        return request
    }

    /// The same without later secrets of its call; `nil` if it has a body, or its call sent other requests.
    fileprivate var kept: HTTPRequest? {
        guard body == nil else { return nil }
        guard let secrets else { return self }
        guard let copy = secrets.withoutRequests else { return nil }
        var request = self
        request.secrets = copy
        return request
    }
}
