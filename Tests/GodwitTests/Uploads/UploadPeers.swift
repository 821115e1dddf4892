import Godwit
import GodwitTesting
import TestSupport

/// A server of resumable uploads, a file to send there, and a client that doesn't wait between attempts.
struct UploadPeer: Sendable {
    let uploads: MockUploads
    let server: MockServer
    let api: APIClient
    let folder: TemporaryFolder
    let content: Content
    let file: URL

    init(
        _ size: Int = 300_000, attempts: Int = 3, options: (inout MockUploads.Options) -> Void = { _ in },
        client: (inout ClientConfiguration) -> Void = { _ in }
    ) async throws {
        let uploads = MockUploads(configure: options)
        let server = try await MockServer { $0.resumableUploads("/files", into: uploads) }
        self.uploads = uploads
        self.server = server
        api = APIClient.eager(server, attempts: attempts, configure: client)
        folder = TemporaryFolder()
        content = Content(size)
        file = folder.path("film.bin")
        try content.data.write(to: file)
    }

    static let endpoint = Endpoint<Void>.post("files")

    func upload(
        using uploadProtocol: UploadProtocol = .discovered, configure: (inout UploadOptions) -> Void = { _ in }
    ) -> ResumableUpload<Void> {
        api.upload(file, to: .resumable(Self.endpoint, using: uploadProtocol, configure: configure))
    }

    /// The requests as `METHOD path`.
    var log: [String] { server.requests.map { "\($0.method) \($0.path)" } }

    /// Whether the server has exactly the file, once.
    var isReceived: Bool {
        uploads.completed.count == 1 && uploads.completed.first?.data == content.data
    }
}

extension ResumableUpload {
    /// The error that ended it; nil if it completed.
    func failure() async -> NetworkError? {
        await TestSupport.failure { () throws(NetworkError) in try await response }
    }

    /// Waits until so many bytes were sent.
    func reach(_ count: Int64) async {
        for await progress in progress where progress.completed >= count { return }
    }
}
