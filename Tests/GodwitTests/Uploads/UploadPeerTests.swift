import Godwit
import TestSupport
import Testing

/// Servers that others wrote: script/servers.d/upload_peers.py.
@Suite("B9 B10 uploads to drf-tus and moto", .timeLimit(.minutes(15)))
struct UploadPeerTests {
    private static let tus = ProcessInfo.processInfo.environment["GODWIT_TEST_TUS"]
    private static let s3 = ProcessInfo.processInfo.environment["GODWIT_TEST_S3"]

    private let folder = TemporaryFolder()
    private let content = Content(12 << 20)

    private func film() throws -> URL {
        try content.data.write(to: folder.path("film.bin"))
        return folder.path("film.bin")
    }

    @Test(
        "B9 drf-tus: an upload is paused, resumed by another client, and complete",
        .enabled(if: tus != nil, "needs drf-tus: script/servers"), arguments: [UploadProtocol.discovered, .tus])
    func drfTus(uploadProtocol: UploadProtocol) async throws {
        let base = try #require(Self.tus)
        let endpoint = Endpoint<Void>.post("")
        var ticket: UploadTicket?
        let first = APIClient(baseURL: base).upload(
            try film(),
            to: .resumable(endpoint, using: uploadProtocol) {
                $0.chunkSize = 1 << 20
                $0.progressInterval = .zero
            })
        await first.reach(3 << 20)
        ticket = try await first.pause()
        let offset = try #require(ticket?.offset)
        #expect(offset >= 2 << 20 && offset < 12 << 20)
        let second = APIClient(baseURL: base).resume(try #require(ticket))
        try await second.value
        #expect(second.startOvers.isEmpty)
        // The server forgets nothing it has: it answers with the whole size.
        let location = try #require(second.location)
        let request = HTTPRequest(method: .head, url: location, fields: ["Tus-Resumable": "1.0.0"])
        let head = try await APIClient(baseURL: base).send(request).head
        #expect(head.fields["Upload-Offset"] == "\(content.data.count)")
    }

    @Test("B9 drf-tus: a canceled upload is gone", .enabled(if: tus != nil, "needs drf-tus: script/servers"))
    func termination() async throws {
        let api = APIClient(baseURL: try #require(Self.tus))
        let upload = api.upload(
            try film(),
            to: .resumable(.post(""), using: .tus) {
                $0.chunkSize = 1 << 20
                $0.progressInterval = .zero
            })
        await upload.reach(2 << 20)
        let location = try #require(upload.location)
        upload.cancel()
        #expect(await upload.failure()?.kind == .cancelled)
        let request = HTTPRequest(method: .head, url: location, fields: ["Tus-Resumable": "1.0.0"])
        #expect(try await api.send(request).head.status != .ok)
    }

    @Test(
        "B10 moto: a multipart upload of three parts is the file", .enabled(if: s3 != nil, "needs moto: script/servers")
    )
    func multipart() async throws {
        let store = APIClient(baseURL: try #require(Self.s3))
        try await store.send(Endpoint<Void>.put("films"))
        let started = try await store.send(Endpoint<String>.post("films/film", query: ["uploads": ""]))
        let id = try Self.text(in: "UploadId", of: started)
        // As an app's server would sign them; moto accepts any signature.
        let base = try #require(Self.s3)
        let parts = UploadParts<String>(partSize: 5 << 20) { part in
            let query = "partNumber=\(part.number)&uploadId=\(id)&X-Amz-Signature=0"
            return try HTTPRequest(method: .put, url: "\(base)/films/film?\(query)")
        } complete: { finished in
            let list = finished.map { "<Part><PartNumber>\($0.number)</PartNumber><ETag>\($0.etag)</ETag></Part>" }
            let body = "<CompleteMultipartUpload>\(list.joined())</CompleteMultipartUpload>"
            return try await store.send(.post("films/film", query: ["uploadId": id], body: .text(body)))
        } abort: {
            try? await store.send(Endpoint<Void>.delete("films/film", query: ["uploadId": id]))
        }
        let completed = try await store.upload(try film(), to: .parts(parts)).value
        #expect(completed.contains("CompleteMultipartUploadResult"))
        #expect(try await store.send(Endpoint<Data>.get("films/film")) == content.data)
    }

    private static func text(in element: String, of document: String) throws -> String {
        let parts = document.split(separator: "<\(element)>", maxSplits: 1)
        return String(try #require(parts.last?.split(separator: "</").first))
    }
}
