import Foundation
import FoundationNetworking
import Synchronization

/// Counts and drops the body. On Linux only a delegate receives it in pieces.
final class Discarding: NSObject, URLSessionDataDelegate {
    private let bytes = Mutex(0)
    private let completion: CheckedContinuation<Int, any Error>

    private init(_ completion: CheckedContinuation<Int, any Error>) {
        self.completion = completion
    }

    static func get(_ url: URL, _ configuration: URLSessionConfiguration) async throws -> Int {
        try await withCheckedThrowingContinuation { completion in
            let delegate = Discarding(completion)
            let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
            session.dataTask(with: url).resume()
            session.finishTasksAndInvalidate()
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        bytes.withLock { $0 += data.count }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error {
            completion.resume(throwing: error)
        } else {
            completion.resume(returning: bytes.withLock { $0 })
        }
    }
}
