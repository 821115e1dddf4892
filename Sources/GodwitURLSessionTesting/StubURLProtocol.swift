import GodwitCore
import GodwitURLSession
import Synchronization

/// What URLSession asks instead of the network, one for each task. Every stub has a subclass.
class StubURLProtocol: URLProtocol {
    private struct State: Sendable {
        var work: Task<Void, Never>?
        var answer: StubAnswer?
        var isPlaying = false
    }

    private let state = Mutex(State())

    override class func canInit(with request: URLRequest) -> Bool {
        // Whatever the request: nothing of a stubbed session's goes to the network.
        true
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    /// Begins; or, called again, hands over the answer that came meanwhile.
    override func startLoading() {
        if let answer = state.withLock({ $0.answer.take() }) { return play(answer) }
        guard !Self.mustRefuse(task) else { return play(.failure(URLError(.unsupportedURL))) }
        let exchange = StubExchange(request, StubRegistry.shared.transport(of: type(of: self)))
        // Safe: what is called is a lock, and the client on the thread that suits the platform.
        nonisolated(unsafe) let loader = self
        let work = Task {
            let answer = await exchange.answer()
            if !Task.isCancelled { loader.take(answer) }
        }
        state.withLock { $0.work = work }
    }

    override func stopLoading() {
        let work = state.withLock { $0.isPlaying ? nil : $0.work.take() }
        work?.cancel()
    }

    private func take(_ answer: StubAnswer) {
        state.withLock { state in
            state.answer = answer
            state.isPlaying = true
        }
        wake()
    }

    private func play(_ answer: StubAnswer) {
        switch answer {
        case .failure(let error):
            client?.urlProtocol(self, didFailWithError: error)
        case .success(let response, let content):
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            if !content.isEmpty { client?.urlProtocol(self, didLoad: content) }
            client?.urlProtocolDidFinishLoading(self)
        }
    }
}

#if canImport(FoundationNetworking)
extension StubURLProtocol {
    /// The answer to a download task would end the process.
    fileprivate static func mustRefuse(_ task: URLSessionTask?) -> Bool { task is URLSessionDownloadTask }

    /// The client may be called on URLSession's own queue only, and this is the way there: a task that is resumed is
    /// loaded once more.
    fileprivate func wake() {
        task?.suspend()
        task?.resume()
    }
}
#else
extension StubURLProtocol {
    fileprivate static func mustRefuse(_ task: URLSessionTask?) -> Bool { false }

    fileprivate func wake() {
        startLoading()
    }
}
#endif
