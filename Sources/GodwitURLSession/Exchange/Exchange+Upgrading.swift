@_spi(Engines) package import GodwitCore
import Synchronization

extension Exchange {
    /// The server switched protocols: the caller gets the socket, which uses the task from here on.
    package func open(_ task: any SocketTask, _ response: URLResponse?, subprotocol: String?) {
        let socket = SocketMessages(
            task, host: request.url.host, messageLimit: options.upgrade?.messageLimit ?? .max)
        let head = SwitchedHead.head(response, subprotocol: subprotocol)
        let opening = state.withLock { state -> Opening? in
            // Without a caller, the exchange and the task have ended.
            guard !state.isOver, let caller = state.caller.take() else { return nil }
            state.firstByte = state.deadlines.start.duration(to: .now)
            state.head = head
            state.socket = socket
            defer {
                state.isOver = true
                state.work = []
                state.task = nil
            }
            return Opening(caller: caller, answer: self.response(state, .empty, measured(state)), work: state.work)
        }
        guard let opening else { return }
        for work in opening.work { work.cancel() }
        options.onEvent?(.finished(opening.answer.metrics))
        var answer = opening.answer
        answer.messages = socket
        opening.caller.resume(returning: .success(answer))
    }

    private struct Opening {
        let caller: Caller
        let answer: HTTPResponse
        let work: [Task<Void, Never>]
    }

    /// The server didn't switch protocols. URLSession doesn't deliver the body of its response. Returns false for an
    /// interim response or one that isn't HTTP.
    @discardableResult
    package func refuse(_ response: URLResponse) -> Bool {
        guard let head = ResponseConversion.head(of: response), head.status.kind != .informational else { return false }
        state.withLock { state in
            if state.head == nil { state.head = head }
        }
        end { _ in nil }
        return true
    }

    /// The peer sent a close frame.
    package func receiveClose(_ frame: CloseContent?) {
        guard let frame else { return }
        state.withLock(\.socket)?.receiveClose(frame)
    }
}
