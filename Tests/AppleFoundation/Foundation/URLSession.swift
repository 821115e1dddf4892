// URLSession with sessions that go on in the background.
public import FoundationEssentials
public import Security

open class HTTPCookieStorage: NSObject {}
open class HTTPCookie: NSObject {
    public enum AcceptPolicy: UInt { case always, never, onlyFromMainDocumentDomain }
}
open class URLCredentialStorage: NSObject {}
open class URLCache: NSObject {}

open class URLSessionConfiguration: NSObject, @unchecked Sendable {
    open class func background(withIdentifier identifier: String) -> URLSessionConfiguration { .init() }
    open var isDiscretionary: Bool {
        get { false }
        set {}
    }
    open var sessionSendsLaunchEvents: Bool {
        get { false }
        set {}
    }
    open var sharedContainerIdentifier: String? {
        get { nil }
        set {}
    }
    open var httpMaximumConnectionsPerHost: Int {
        get { 0 }
        set {}
    }
    open var httpShouldSetCookies: Bool {
        get { false }
        set {}
    }
    open var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy {
        get { .never }
        set {}
    }
    open var httpCookieStorage: HTTPCookieStorage? {
        get { nil }
        set {}
    }
    open var urlCredentialStorage: URLCredentialStorage? {
        get { nil }
        set {}
    }
    open var urlCache: URLCache? {
        get { nil }
        set {}
    }
    open var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t {
        get { .TLSv12 }
        set {}
    }
}

open class URLSession: NSObject, @unchecked Sendable {
    public init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue: OperationQueue?
    ) {}
    open var allTasks: [URLSessionTask] { get async { [] } }
    open func uploadTask(with request: URLRequest, fromFile file: URL) -> URLSessionUploadTask { .init() }
    open func downloadTask(with request: URLRequest) -> URLSessionDownloadTask { .init() }
    open func downloadTask(withResumeData data: Data) -> URLSessionDownloadTask { .init() }
}

open class URLSessionTask: NSObject, @unchecked Sendable {
    open var taskDescription: String? {
        get { nil }
        set {}
    }
    open var earliestBeginDate: Date? {
        get { nil }
        set {}
    }
    open var originalRequest: URLRequest? { nil }
    open var response: URLResponse? { nil }
    open func resume() {}
    open func cancel() {}
}

open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}
open class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {
    open func cancelByProducingResumeData() async -> Data? { nil }
}

public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)
    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession)
}

public protocol URLSessionTaskDelegate: URLSessionDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64)
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}

public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
}

public protocol URLSessionDownloadDelegate: URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL)
    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64)
}
