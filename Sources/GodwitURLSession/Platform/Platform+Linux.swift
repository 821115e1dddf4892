#if !canImport(Security)
import GodwitCore

/// URLSession of swift-corelibs-foundation in Swift 6.3.
extension Platform {
    static let name = "URLSession on Linux"
    static let description = "URLSession of swift-corelibs-foundation (HTTP/2, HTTP/1.1)"
    static let streamBuffer = 64 << 20
    /// The codings that URLSession always decodes.
    static let codings: Set<String> = ["identity", "gzip", "x-gzip", "deflate", "br", "zstd"]

    /// WebSockets need a Foundation built with a newer libcurl, which Swift for Linux isn't.
    static let hasWebSockets = false

    static func prepare(_ configuration: URLSessionConfiguration) {}

    static func enforce(_ configuration: URLSessionConfiguration) {}

    /// Invalidates a session whose exchanges have all ended. Canceling a finishing task could crash the process.
    static func invalidateIdle(_ session: URLSession) {
        session.finishTasksAndInvalidate()
    }

    static func apply(_ request: HTTPRequest, to converted: inout URLRequest) {}

    /// Why the request can't be sent unchanged.
    static func fault(in request: HTTPRequest) -> NetworkError.Kind? {
        request.url.host.hasPrefix("[") ? unsupported("an IPv6 address as a host") : nil
    }

    /// A suspended task restarts when it is resumed and delivers everything again.
    static func hold(_ task: URLSessionTask) -> Bool { false }

    /// Waits until a cancellation has taken effect: it runs on the task's queue, like reading this property.
    ///
    /// This blocks the delegate's queue, so that the task can't complete and be removed in between: canceling a removed
    /// task crashes the process.
    static func settle(_ task: URLSessionTask) {
        _ = task.priority
    }

    /// A machine without a network is reported as an unknown host.
    static func offlineReason(of error: URLError) -> NetworkError.OfflineReason? {
        guard error.code == .cannotFindHost || error.code == .dnsLookupFailed else { return nil }
        return SystemPathMonitor.shared.current.status == .unsatisfied ? .noPath : nil
    }

    /// A stream that makes URLSession wait blocks every session of the process, and a repeated stream is sent empty. So
    /// everything but whole files is copied to a temporary file first.
    static func content(of body: HTTPBody) async throws(NetworkError) -> UploadContent {
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
