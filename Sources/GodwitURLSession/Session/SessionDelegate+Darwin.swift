#if canImport(Security)
import GodwitCore

extension SessionDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        completionHandler(
            exchange(of: task).flatMap { exchange in
                exchange.openContent().flatMap { UploadStream.open($0, for: exchange) }
            })
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        completionHandler(nil)
    }

    // Interim responses such as 103, from macOS 14 and iOS 17.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
    ) {
        _ = exchange(of: task)?.receive(response)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        exchange(of: task)?.note(TransferMetrics(metrics))
    }
}
#endif
