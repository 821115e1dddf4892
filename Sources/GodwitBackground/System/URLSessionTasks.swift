#if canImport(Darwin)
import Foundation
import GodwitCore
import Security
import Synchronization

/// The system's background transfers, with one URLSession per lane. It makes no decisions.
final class URLSessionTasks: NSObject, SystemTasks {
    private static let answerLimit = 64 << 10

    private struct State {
        var sessions: [SystemTaskLane: URLSession] = [:]
        var listener: (any SystemTaskListener)?
        /// The first bytes of the responses to uploads.
        var answers: [SystemTaskLabel: Data] = [:]
    }

    private let session: String
    private let configuration: BackgroundConfiguration
    private let queue = OperationQueue()
    private let state = Mutex(State())

    init(_ session: String, _ configuration: BackgroundConfiguration) {
        self.session = session
        self.configuration = configuration
        queue.name = "godwit.background"
        queue.maxConcurrentOperationCount = 1
        // Without a quality of service, the queue may be delayed while the app is in the background.
        queue.qualityOfService = .utility
        super.init()
    }

    func begin(_ listener: any SystemTaskListener) async -> [SystemTaskLabel] {
        let sessions = state.withLock { state in
            // Set first, as the system reports kept events as soon as there is a session.
            state.listener = listener
            for lane in SystemTaskLane.allCases { _ = openSession(lane, &state) }
            return Array(state.sessions.values)
        }
        var labels: [SystemTaskLabel] = []
        for session in sessions { labels += await session.allTasks.compactMap(\.label) }
        return labels
    }

    /// The session of a lane, replaced if the system has invalidated it.
    private func openSession(_ lane: SystemTaskLane, _ state: inout State) -> URLSession {
        if let session = state.sessions[lane] { return session }
        let session = URLSession(configuration: settings(lane), delegate: self, delegateQueue: queue)
        state.sessions[lane] = session
        return session
    }

    func start(_ order: SystemTaskOrder) {
        let session = state.withLock { openSession(order.lane, &$0) }
        guard let request = URLRequest(order.spec) else {
            listener?.failed(order.label, .invalidURL(reason: "URLSession would request another URL"), resumeData: nil)
            return
        }
        let task: URLSessionTask =
            switch (order.spec.direction, order.resumeData) {
            case (.upload, _): session.uploadTask(with: request, fromFile: URL(filePath: order.spec.path))
            case (.download, let data?): session.downloadTask(withResumeData: data)
            case (.download, nil): session.downloadTask(with: request)
            }
        task.taskDescription = order.label.text
        task.earliestBeginDate = order.earliest
        task.resume()
    }

    func cancel(_ label: SystemTaskLabel) async {
        await task(label)?.cancel()
    }

    func stop(_ label: SystemTaskLabel) async -> Data? {
        let task = await task(label)
        guard let download = task as? URLSessionDownloadTask else {
            task?.cancel()
            return nil
        }
        return await download.cancelByProducingResumeData()
    }

    private func task(_ label: SystemTaskLabel) async -> URLSessionTask? {
        for session in state.withLock({ Array($0.sessions.values) }) {
            if let task = await session.allTasks.first(where: { $0.label == label }) { return task }
        }
        return nil
    }

    private var listener: (any SystemTaskListener)? { state.withLock(\.listener) }

    private func settings(_ lane: SystemTaskLane) -> URLSessionConfiguration {
        let settings = URLSessionConfiguration.background(withIdentifier: lane.identifier(of: session))
        settings.isDiscretionary = lane == .discretionary
        settings.sessionSendsLaunchEvents = configuration.sessionSendsLaunchEvents
        settings.sharedContainerIdentifier = configuration.sharedContainerIdentifier
        settings.httpMaximumConnectionsPerHost = min(max(configuration.parallelJobs, 1), 64)
        settings.tlsMinimumSupportedProtocolVersion = .TLSv12
        // As on Linux, only the job's fields are sent, and responses aren't cached.
        settings.urlCache = nil
        settings.httpShouldSetCookies = false
        settings.httpCookieAcceptPolicy = .never
        settings.httpCookieStorage = nil
        settings.urlCredentialStorage = nil
        return settings
    }
}

// MARK: - Delegate
extension URLSessionTasks: URLSessionDownloadDelegate, URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        guard let label = downloadTask.label, let head = HTTPResponseHead(downloadTask.response) else { return }
        listener?.received(location, label, head)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        note(downloadTask, totalBytesWritten, totalBytesExpectedToWrite)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        note(task, totalBytesSent, totalBytesExpectedToSend)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard let label = dataTask.label else { return }
        state.withLock { state in
            let answer = state.answers[label] ?? Data()
            state.answers[label] = answer + data.prefix(Self.answerLimit - answer.count)
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let label = task.label else { return }
        let answer = state.withLock { $0.answers.removeValue(forKey: label) } ?? Data()
        guard let error else {
            guard let head = HTTPResponseHead(task.response) else {
                listener?.failed(label, .invalidResponse(reason: "not an HTTP response"), resumeData: nil)
                return
            }
            listener?.answered(label, head, answer)
            return
        }
        let failure = error as? URLError
        let kind = SystemFailure.kind(
            code: failure?.code.rawValue ?? 0, detail: error.localizedDescription,
            host: task.originalRequest?.url?.host() ?? "")
        listener?.failed(label, kind, resumeData: failure?.downloadTaskResumeData)
    }

    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        let lane = state.withLock { $0.sessions.first { $0.value === session }?.key }
        if let lane { listener?.delivered(lane) }
    }

    /// A new task in an invalid session would terminate the process, so the next task gets a new session.
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        state.withLock { state in
            guard let lane = state.sessions.first(where: { $0.value === session })?.key else { return }
            state.sessions[lane] = nil
        }
    }

    private func note(_ task: URLSessionTask, _ completed: Int64, _ total: Int64) {
        guard let label = task.label else { return }
        listener?.progressed(label, to: completed, of: total < 0 ? nil : total)
    }
}

extension URLSessionTask {
    fileprivate var label: SystemTaskLabel? { SystemTaskLabel(taskDescription) }
}

extension URLRequest {
    /// `nil` if the system would request another URL.
    fileprivate init?(_ spec: TransferSpec) {
        guard let url = URL(string: spec.url.absoluteString), url.absoluteString == spec.url.absoluteString else {
            return nil
        }
        self.init(url: url)
        httpMethod = spec.method.rawValue
        timeoutInterval = spec.timeouts.inactivity / .seconds(1)
        allowsExpensiveNetworkAccess = spec.networks.contains(.expensive)
        allowsConstrainedNetworkAccess = spec.networks.contains(.constrained)
        allowsCellularAccess = spec.networks.contains(.cellular)
        // Ranges and digests are those of the content without a coding.
        if spec.direction == .download { setValue("identity", forHTTPHeaderField: "Accept-Encoding") }
        for field in spec.fields.withOneCookieField { addValue(field.value, forHTTPHeaderField: field.name.rawName) }
    }
}

extension HTTPResponseHead {
    fileprivate init?(_ response: URLResponse?) {
        guard let response = response as? HTTPURLResponse, let status = HTTPStatus(response.statusCode) else {
            return nil
        }
        var fields = HTTPFields()
        for (name, value) in response.allHeaderFields {
            guard let text = name as? String, let name = HTTPField.Name(text) else { continue }
            fields.append("\(value)", for: name)
        }
        self.init(status: status, fields: fields)
    }
}
#endif
