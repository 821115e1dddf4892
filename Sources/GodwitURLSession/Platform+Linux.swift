#if !canImport(Security)
import GodwitCore

/// swift-corelibs-foundation's URLSession, as it is in Swift 6.3.
extension Platform {
    static let name = "URLSession on Linux"
    static let description = "URLSession of swift-corelibs-foundation (HTTP/2, HTTP/1.1)"
    static let streamBuffer = 64 << 20
    /// The codings it undoes unasked.
    static let codings: Set<String> = ["identity", "gzip", "x-gzip", "deflate", "br", "zstd"]

    /// Its libcurl would have to know WebSockets, and then Foundation to be built with it: Swift's for Linux is not.
    static let hasWebSockets = false

    static func prepare(_ configuration: URLSessionConfiguration) {}

    static func enforce(_ configuration: URLSessionConfiguration) {}

    /// Invalidates a session whose exchanges have all ended. Canceling a task at its end could end the process.
    static func invalidateIdle(_ session: URLSession) {
        session.finishTasksAndInvalidate()
    }

    static func apply(_ request: HTTPRequest, to converted: inout URLRequest) {}

    /// What would not be sent as it is.
    static func fault(in request: HTTPRequest) -> NetworkError.Kind? {
        request.url.host.hasPrefix("[") ? unsupported("an IPv6 address as a host") : nil
    }

    /// A suspended task begins anew when it is resumed, and hands everything over again.
    static func hold(_ task: URLSessionTask) -> Bool { false }

    /// Waits until a cancellation is carried out: on a queue of the task's, as what this reads.
    ///
    /// The delegate's queue is held up meanwhile, so that the task cannot be completed and forgotten in between: a
    /// cancellation that looks for it in vain ends the process.
    static func settle(_ task: URLSessionTask) {
        _ = task.priority
    }

    /// It reports a machine without a network as a host that is not found.
    static func offlineReason(of error: URLError) -> NetworkError.OfflineReason? {
        guard error.code == .cannotFindHost || error.code == .dnsLookupFailed else { return nil }
        return SystemPathMonitor.shared.current.status == .unsatisfied ? .noPath : nil
    }

    /// A stream that lets URLSession wait would hold up every session of the process, and one that is sent again is sent
    /// empty: so all but whole files lie in a temporary file first.
    static func content(of body: HTTPBody, for exchange: Exchange) async throws(NetworkError) -> UploadContent {
        if case .file(let region) = body.storage, region.offset == 0, region.length == nil {
            _ = try region.resolvedLength()
            return .file(region.url, isTemporary: false)
        }
        let file = FileManager.default.temporaryDirectory.appending(path: "godwit-upload-\(UUID().uuidString)")
        do throws(NetworkError) {
            try await copy(body, to: FileWriter(file))
        } catch {
            UploadContent.file(file, isTemporary: true).discard()
            throw error
        }
        return .file(file, isTemporary: true)
    }

    private static func copy(_ body: HTTPBody, to file: FileWriter) async throws(NetworkError) {
        var count: Int64 = 0
        for try await chunk in body {
            count += Int64(chunk.count)
            if let length = body.length, count > length { throw mismatch("more than", length) }
            try file.write(chunk)
        }
        if let length = body.length, count < length { throw mismatch("\(count) of", length) }
    }

    private static func mismatch(_ what: String, _ length: Int64) -> NetworkError {
        let reason = "the stream gave \(what) the \(length) bytes it declared"
        return NetworkError(.transport(.cannotSendBody(reason)), phase: .sending)
    }
}
#endif
