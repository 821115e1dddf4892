#if canImport(Darwin)
import GodwitCore

extension SessionDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        guard let exchange = exchange(of: task), let body = exchange.request.body else { return completionHandler(nil) }
        completionHandler(UploadStream.open(body) { exchange.fail($0.kind, .sending, underlying: $0.underlying) })
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        exchange(of: task)?.note(TransferMetrics(metrics))
    }
}
#endif
