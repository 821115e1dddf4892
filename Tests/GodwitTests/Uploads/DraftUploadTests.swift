import Godwit
import GodwitTesting
import TestSupport
import Testing

@Suite("B9 uploads by the IETF draft", .timeLimit(.minutes(15)))
struct DraftUploadTests {
    struct Film: Decodable, Sendable, Hashable {
        let id: Int
    }

    @Test("B9 a file in one chunk is one request, and the version is 6")
    func whole() async throws {
        let peer = try await UploadPeer()
        try await peer.upload(using: .ietf).value
        #expect(peer.isReceived)
        #expect(peer.log == ["OPTIONS /files", "POST /files"])
        let request = try #require(peer.server.requests.last)
        #expect(request.fields["Upload-Draft-Interop-Version"] == "6")
        #expect(request.fields["Upload-Complete"] == "?1")
        #expect(request.fields["Upload-Length"] == "300000")
    }

    @Test("B9 a larger file is created with its first chunk, and appended to")
    func chunks() async throws {
        let peer = try await UploadPeer()
        let upload = peer.upload(using: .ietf) {
            $0.chunkSize = 100_000
            $0.checksums = .chunks
        }
        try await upload.value
        #expect(peer.isReceived)
        #expect(peer.log == ["OPTIONS /files", "POST /files", "PATCH /files/u1", "PATCH /files/u1"])
        #expect(peer.server.requests.dropFirst().map { $0.fields["Upload-Complete"] } == ["?0", "?0", "?1"])
        #expect(peer.server.requests.last?.fields[.contentType] == "application/partial-upload")
        #expect(peer.server.requests.dropFirst().allSatisfy { $0.fields["Content-Digest"] != nil })
        #expect(upload.location?.path == "/files/u1")
    }

    @Test("B9 the URL of a 104 response counts: a creation that breaks off is continued", arguments: UploadProtocol.all)
    func interim(uploadProtocol: UploadProtocol) async throws {
        let peer = try await UploadPeer(
            4 << 20,
            options: {
                $0.grammars = [.ietf]; $0.uploadLimit = nil
            })
        peer.uploads.fault = { $0.method == .post ? .cut(after: 3 << 20) : nil }
        let upload = peer.upload(using: uploadProtocol)
        try await upload.value
        #expect(peer.isReceived)
        #expect(peer.log == ["OPTIONS /files", "POST /files", "HEAD /files/u1", "PATCH /files/u1"])
        #expect(peer.uploads.receivedBytes == 4 << 20)
        #expect(upload.startOvers.isEmpty)
    }

    @Test("B9 without a 104 response, a creation that breaks off is repeated")
    func noInterim() async throws {
        let peer = try await UploadPeer(options: { $0.sendsInterim = false })
        let turn = Turn()
        peer.uploads.fault = { $0.method == .post && turn.next() == 0 ? .cut(after: 200_000) : nil }
        try await peer.upload(using: .ietf).value
        #expect(peer.isReceived)
        #expect(peer.log == ["OPTIONS /files", "POST /files", "POST /files"])
    }

    @Test("B9 a server's limit of an append is kept")
    func limit() async throws {
        let peer = try await UploadPeer(options: { $0.uploadLimit = "max-append-size=64000, max-age=60;a=1" })
        let upload = peer.upload(using: .ietf)
        try await upload.value
        #expect(peer.isReceived)
        #expect(peer.server.requests.map(\.bodyByteCount) == [0, 64_000, 64_000, 64_000, 64_000, 44_000])
    }

    @Test("B9 a file over the server's limit is refused before anything is sent")
    func tooLarge() async throws {
        let peer = try await UploadPeer(options: { $0.uploadLimit = "max-size=1000" })
        let failure = await peer.upload(using: .ietf).failure()
        #expect(
            failure?.kind
                == .invalidRequest(reason: "the server accepts up to 1000 bytes, and the file has 300000"))
        #expect(peer.log == ["OPTIONS /files"])
    }

    @Test("B9 a server that speaks neither protocol gets a plain request, and its response is decoded")
    func plain() async throws {
        let folder = TemporaryFolder()
        try Data("abc".utf8).write(to: folder.path("f"))
        let server = try await MockServer { $0.post("/films").reply(json: ["id": 7]) }
        let upload = APIClient.eager(server).upload(folder.path("f"), to: .resumable(Endpoint<Film>.post("films")))
        #expect(try await upload.value == Film(id: 7))
        #expect(server.requests.last?.text == "abc")
        #expect(upload.location == nil)
    }

    @Test("B9 a plain request that breaks off is not repeated: the server may have done its work")
    func plainFailure() async throws {
        let folder = TemporaryFolder()
        try Data("abc".utf8).write(to: folder.path("f"))
        let server = try await MockServer { $0.post("/films").reply(.close) }
        let upload = APIClient.eager(server).upload(folder.path("f"), to: .resumable(Endpoint<Film>.post("films")))
        #expect(await upload.failure() != nil)
        #expect(server.requests.matching(.post, "/films").count == 1)
    }

    @Test("B9 a server that speaks both is asked by tus, one that only names limits by the draft")
    func discovered() async throws {
        let both = try await UploadPeer()
        try await both.upload().value
        #expect(both.server.requests.last?.fields["Tus-Resumable"] == "1.0.0")
        #expect(both.server.requests.first?.fields["Tus-Resumable"] == nil)
        let draft = try await UploadPeer(options: { $0.grammars = [.ietf] })
        try await draft.upload { $0.chunkSize = 200_000 }.value
        #expect(draft.isReceived)
        #expect(draft.log == ["OPTIONS /files", "POST /files", "PATCH /files/u1"])
    }
}

extension UploadProtocol {
    /// The ways to reach a server of the draft.
    fileprivate static let all = [UploadProtocol.ietf, .discovered]
}
