import Godwit

enum TransferSnippets {
    static func download(_ api: APIClient, to folder: URL) async throws -> URL {
        // snippet: download
        let download = api.download(.export, to: folder)  // starts immediately
        for await progress in download.progress { print(progress.fraction ?? 0, progress.timeRemaining ?? .zero) }
        let file = try await download.file
        // end
        return file
    }

    static func options(_ api: APIClient, to folder: URL) -> Download {
        // snippet: download-options
        let download = api.download(.export, to: folder) {
            $0.existingFile = .keepBoth  // .fail by default, .replace or .keepIfComplete
            $0.digest = ContentDigest("sha-256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
            $0.synchronizesToDisk = true
        }
        // end
        return download
    }

    static func parallelRanges(_ api: APIClient, to folder: URL) -> Download {
        // snippet: parallel-ranges
        let download = api.download(.export, to: folder) { $0.parallelRanges = 4 }  // 1 by default, at most 16
        // end
        return download
    }

    static func pause(_ download: Download, _ api: APIClient) async throws -> URL {
        // snippet: pause
        let ticket = try await download.pause()
        let data = try JSONEncoder().encode(ticket)
        // later, maybe elsewhere
        let again = try JSONDecoder().decode(DownloadTicket.self, from: data)
        let file = try await api.resume(again).file
        // end
        return file
    }

    static func upload(_ draft: Draft, _ photo: URL, _ api: APIClient) async throws -> Article {
        // snippet: upload
        _ = try await api.upload(.create(draft), body: .file(at: photo))

        let upload = api.uploading(.create(draft), body: .multipart { $0.file("photo", at: photo) })
        for await progress in upload.progress { print(progress.fraction ?? 0) }
        let article = try await upload.value
        // end
        return article
    }

    static func resumableUpload(_ film: URL, _ ticketFile: URL, _ api: APIClient) async throws {
        // snippet: resumable-upload
        let upload = api.upload(
            film,
            to: .resumable(.post("films")) {
                $0.ticketFile = ticketFile  // survives kill -9; none by default
                $0.parallelParts = 4  // with a tus server that joins parts; 1 by default
                $0.checksums = .chunks  // none by default
            })
        for await progress in upload.progress { print(progress.fraction ?? 0) }
        try await upload.value
        // end
    }

    static func presignedParts(
        _ film: URL, _ api: APIClient, _ signedURL: @escaping @Sendable (Int) async throws -> HTTPURL,
        _ finish: @escaping @Sendable ([UploadParts<Void>.Finished]) async throws -> Void,
        _ abandon: @escaping @Sendable () async -> Void
    ) async throws {
        // snippet: presigned-parts
        let parts = UploadParts(partSize: 16 << 20) { part in
            HTTPRequest(method: .put, url: try await signedURL(part.number))
        } complete: { finished in
            try await finish(finished)  // part numbers and ETags, in order
        } abort: {
            await abandon()
        }
        try await api.upload(film, to: .parts(parts)).value
        // end
    }

    static func compression(_ draft: Draft, _ photo: URL) async throws {
        // snippet: compression
        let api = APIClient(baseURL: "https://api.example.com/v1") { $0.compression = .gzip }  // from 1 KiB on
        _ = try await api.send(.create(draft).compression(.gzip(minimumSize: 0, level: 9)))
        _ = try await api.upload(.create(draft).compression(.off), body: .file(at: photo))
        // end
    }
}
