#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A file that is in the place of a download: whether it is the whole content already.
struct ExistingDownload: Sendable {
    let run: DownloadRun
    let file: URL
    /// In bytes.
    let size: Int64

    /// Nil if no ordinary file is there.
    init?(_ run: DownloadRun, at file: URL) {
        var status = stat()
        guard run.isResumable, stat(file.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.run = run
        self.file = file
        size = Int64(status.st_size)
    }

    /// Asks the server for what comes after the file's last byte: nothing, if the file is whole (RFC 9110 section 15.5.17).
    ///
    /// Throws what a call throws; `.file` if the content has another size, and `.invalidResponse` for another digest.
    func confirm() async throws(NetworkError) {
        let response = try await run.api.accepted(request)
        let total = Self.total(response)
        guard total == size else {
            let whole = total.map { "\(size) of \($0)" } ?? "\(size) of an unknown number of"
            throw NetworkError(
                .file(reason: "\(file.lastPathComponent) exists already and is not the whole content: \(whole) bytes"),
                phase: .receiving, request: response.request, response: response.head)
        }
        try await check(response.head)
    }

    private var request: HTTPRequest {
        var request = run.request
        request.fields[.acceptEncoding] = "identity"
        request.fields[.range] = "bytes=\(size)-"
        request.options.acceptedStatuses.insert(HTTPStatus.rangeNotSatisfiable.code)
        return request
    }

    /// How many bytes the content has; `nil` if the server does not say.
    private static func total(_ response: HTTPResponse) -> Int64? {
        switch response.head.status {
        case .rangeNotSatisfiable, .partialContent:
            response.head.fields.agreedValue(of: .contentRange).flatMap(ContentRange.init)?.total
        default: response.head.status.forbidsContent ? 0 : response.body.length
        }
    }

    private func check(_ head: HTTPResponseHead) async throws(NetworkError) {
        let reported = ReprDigest.sha256(head.fields).flatMap(ContentDigest.init(sha256:))
        let expected = [run.options.digest, reported].compactMap(\.self)
        guard !expected.isEmpty else { return }
        var hash = SHA256()
        for try await chunk in HTTPBody.file(at: file) { hash.update(chunk) }
        let found = ContentDigest(sha256: hash.finish())
        guard let wanted = expected.first(where: { $0 != found }) else { return }
        throw NetworkError(
            .invalidResponse(
                reason: "\(file.lastPathComponent) exists already, and its digest is not \(wanted)"), phase: .receiving)
    }
}
