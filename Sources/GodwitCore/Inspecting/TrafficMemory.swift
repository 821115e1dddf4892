import Synchronization

/// The latest calls as they were sent, to send one again and to reveal its values. Never leaves the process as a whole.
final class TrafficMemory: Sendable {
    private static let callLimit = 500
    private static let byteLimit = 32 << 20

    private struct Exchange {
        var request: HTTPRequest
        var response: HTTPResponseHead?
        var body: HTTPBody?
    }

    private struct Kept {
        let call: UInt64
        let request: HTTPRequest
        let next: @Sendable () -> Next?
        let inspector: Inspector
        var exchanges: [UInt64: Exchange] = [:]
        var size: Int
    }

    private struct State {
        var calls: [UInt64: Kept] = [:]
        var order: [UInt64] = []
        var bytes = 0
    }

    private let state = Mutex(State())

    func keep(_ note: TrafficNote, from recorder: TrafficRecorder) {
        let inspector = recorder.inspector
        guard inspector.revealsSecrets || inspector.allowsReplay else { return }
        state.withLock { state in
            switch note.content {
            case .started(_, let request, let next, _):
                let size = 512 + (request.body?.bytesInMemory ?? 0)
                state.calls[note.call] = Kept(
                    call: note.call, request: request, next: next, inspector: inspector, size: size)
                state.order.append(note.call)
                state.bytes += size
            case .sent(let call, let added, let exchange):
                var request = call.request
                request.fields = request.fields.joined(by: added)
                Self.change(&state, note) { $0.exchanges[exchange] = Exchange(request: request) }
            case .answered(let response, let exchange):
                Self.change(&state, note) { kept in
                    kept.exchanges[exchange]?.response = response.head
                    if response.body.bytesInMemory > 0 { kept.exchanges[exchange]?.body = response.body }
                }
            default: return
            }
            Self.shrink(&state)
        }
    }

    private static func change(_ state: inout State, _ note: TrafficNote, _ body: (inout Kept) -> Void) {
        guard state.calls[note.call] != nil else { return }
        state.bytes += note.size
        state.calls[note.call]?.size += note.size
        if var kept = state.calls.removeValue(forKey: note.call) {
            body(&kept)
            state.calls[note.call] = kept
        }
    }

    private static func shrink(_ state: inout State) {
        while state.order.count > callLimit || state.bytes > byteLimit, !state.order.isEmpty {
            let oldest = state.order.removeFirst()
            state.bytes -= state.calls.removeValue(forKey: oldest)?.size ?? 0
        }
    }

    /// Sends a call again through its client, if that still exists.
    func replay(_ number: UInt64) {
        guard let kept = state.withLock({ $0.calls[number] }), kept.inspector.allowsReplay,
            kept.request.body?.isReplayable ?? true, kept.request.options.upgrade == nil, let next = kept.next()
        else { return }
        var request = kept.request
        if !request.delivery.isBuffered { request.delivery = .buffered(limit: 8 << 20) }
        let recorder = CallInspection(TrafficRecorder(kept.inspector), sharesTransfers: false)
        Task { [request] in
            try? await TrafficRecorder.$replayedCall.withValue(number) {
                _ = try await recorder.handle(Call(request), next: next)
            }
        }
    }

    /// The values of a part; see ``TrafficEvent/Revealed/part``. Empty if they are not kept or must not be revealed.
    func values(of part: String, _ call: UInt64, _ exchange: UInt64) -> [String] {
        guard let kept = state.withLock({ $0.calls[call] }), kept.inspector.revealsSecrets,
            let exchange = kept.exchanges[exchange]
        else { return [] }
        let words = part.split(separator: ":", maxSplits: 1).map(String.init)
        switch (words.first, words.count) {
        case ("url", 1): return [exchange.request.url.absoluteString]
        case ("requestBody", 1): return Self.text(exchange.request.body, kept.inspector)
        case ("responseBody", 1): return Self.text(exchange.body, kept.inspector)
        case ("request", 2): return Self.values(words[1], exchange.request.fields)
        case ("response", 2): return Self.values(words[1], exchange.response?.fields)
        default: return []
        }
    }

    private static func values(_ name: String, _ fields: HTTPFields?) -> [String] {
        HTTPField.Name(name).flatMap { fields?.values(of: $0) } ?? []
    }

    private static func text(_ body: HTTPBody?, _ inspector: Inspector) -> [String] {
        guard case .bytes(let data) = body?.storage else { return [] }
        return [String(decoding: data.prefix(max(0, inspector.bodyLimit)), as: UTF8.self)]
    }
}

extension Delivery {
    fileprivate var isBuffered: Bool {
        if case .buffered = self { true } else { false }
    }
}
