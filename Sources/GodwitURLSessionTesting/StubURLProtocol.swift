import GodwitCore
import GodwitURLSession
import Synchronization

/// The URL protocol that answers a task instead of the network. Every stub has a subclass.
class StubURLProtocol: URLProtocol {
    private let loading = Mutex(StubLoading<StubAnswer>())

    override class func canInit(with request: URLRequest) -> Bool {
        // Accept every request: stubbed sessions never use the network.
        true
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    /// Starts loading. When called again, passes the answer that arrived meanwhile.
    override func startLoading() {
        if case .play(let answer) = loading.withLock({ $0.start() }) { return play(answer) }
        guard !Self.mustRefuse(task) else { return play(.failure(URLError(.unsupportedURL))) }
        let exchange = StubExchange(request, StubRegistry.shared.transport(of: type(of: self)))
        let thread = LoadingThread()
        // Safe: only its lock is used here, and its client only on the loading thread.
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

    /// Passes the answer to the client, on the loading thread; nothing after ``stopLoading()``.
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
    /// On Linux, answering a download task would crash the process.
    fileprivate static func mustRefuse(_ task: URLSessionTask?) -> Bool { task is URLSessionDownloadTask }
}

/// URLSession's loading thread, on which the client may be called. On Linux it is a private queue.
private struct LoadingThread: Sendable {
    /// Plays the answer: a task that is resumed is loaded again.
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
