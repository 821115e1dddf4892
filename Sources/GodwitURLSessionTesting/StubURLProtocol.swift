import GodwitCore
import GodwitURLSession
import Synchronization

/// What URLSession asks instead of the network, one for each task. Every stub has a subclass.
class StubURLProtocol: URLProtocol {
    private let loading = Mutex(StubLoading<StubAnswer>())

    override class func canInit(with request: URLRequest) -> Bool {
        // Whatever the request: nothing of a stubbed session's goes to the network.
        true
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    /// Begins; or, called again, hands over the answer that came meanwhile.
    override func startLoading() {
        if case .play(let answer) = loading.withLock({ $0.start() }) { return play(answer) }
        guard !Self.mustRefuse(task) else { return play(.failure(URLError(.unsupportedURL))) }
        let exchange = StubExchange(request, StubRegistry.shared.transport(of: type(of: self)))
        let thread = LoadingThread()
        // Safe: what is called is a lock, and the client on the loading thread alone.
        nonisolated(unsafe) let loader = self
        let work = Task {
            let answer = await exchange.answer()
            guard !Task.isCancelled else { return }
            loader.loading.withLock { $0.receive(answer) }
            thread.hand(over: loader)
        }
        if !loading.withLock({ $0.begin(work) }) { work.cancel() }
    }

    override func stopLoading() {
        loading.withLock { $0.stop() }?.cancel()
    }

    /// Gives the client the answer that came, on the loading thread; nothing after ``stopLoading()``.
    func playAnswer() {
        if let answer = loading.withLock({ $0.takeAnswer() }) { play(answer) }
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

#if !canImport(Security)
extension StubURLProtocol {
    /// The answer to a download task would end the process.
    fileprivate static func mustRefuse(_ task: URLSessionTask?) -> Bool { task is URLSessionDownloadTask }
}

/// Where URLSession loads, and its client may be called: on Linux a queue of its own, and this is the way there.
private struct LoadingThread: Sendable {
    /// Has the answer played: a task that is resumed is loaded again.
    func hand(over loader: StubURLProtocol) {
        loader.task?.suspend()
        loader.task?.resume()
    }
}
#else
extension StubURLProtocol {
    fileprivate static func mustRefuse(_ task: URLSessionTask?) -> Bool { false }
}
#endif
