import Godwit
import GodwitTesting
import TestSupport
import Testing

@Suite("B9 what an upload refuses", .timeLimit(.minutes(15)))
struct UploadRulesTests {
    @Test(
        "B9 an offset that can't be is refused, and no value traps",
        arguments: [
            "200001", "9223372036854775807", "-1", "99999999999999999999", "0x10", "", "+5", "1.5", "0",
        ])
    func offsets(offset: String) async throws {
        let peer = try await UploadPeer()
        peer.uploads.fault = { request in
            guard request.method == .patch else { return nil }
            return .respond(.status(.noContent).field("Upload-Offset", offset).field("Tus-Resumable", "1.0.0"))
        }
        let failure = await peer.upload(using: .tus) { $0.chunkSize = 200_000 }.failure()
        guard case .invalidResponse = failure?.kind else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test("B9 a server that has less than it confirmed is refused")
    func backward() async throws {
        let peer = try await UploadPeer()
        peer.uploads.fault = { request in
            if request.method == .head {
                return .respond(.status(.ok).field("Upload-Offset", "5").field("Tus-Resumable", "1.0.0"))
            }
            return request.fields["Upload-Offset"] == "100000" ? .cut(after: 10) : nil
        }
        let failure = await peer.upload(using: .tus) { $0.chunkSize = 100_000 }.failure()
        #expect(failure?.kind == .invalidResponse(reason: "the server has 5 bytes after it confirmed 100000"))
    }

    @Test("B9 a location at another origin is refused unless allowed, and gets no secrets")
    func otherOrigin() async throws {
        let uploads = MockUploads()
        let other = try await MockServer { $0.resumableUploads("/files", into: uploads) }
        let origin = other.url.origin
        let peer = try await UploadPeer(
            options: { $0.locationOrigin = "\(origin)" }, client: { $0.defaultFields["X-Key"] = "s3cret" })
        let refused = await peer.upload(using: .tus) { $0.chunkSize = 100_000 }.failure()
        #expect(
            refused?.kind
                == .invalidResponse(
                    reason: "the server placed the upload at \(origin); allow that origin with UploadOptions.locations")
        )
        #expect(other.requestCount == 0)

        let endpoint = UploadPeer.endpoint.header(.authorization, "Bearer s3cret").header("X-Api-Key", "s3cret")
        let allowed = peer.api.upload(
            peer.file,
            to: .resumable(endpoint, using: .tus) {
                $0.chunkSize = 100_000
                $0.locations = .origins([origin])
            })
        // The other server doesn't know the upload: all that counts is what it gets.
        #expect(await allowed.failure()?.kind == .notFound)
        #expect(other.requestCount > 0)
        #expect(other.requests.allSatisfy { request in request.fields.allSatisfy { !$0.value.contains("s3cret") } })
    }

    @Test("B9 what can't be an upload is refused before anything is sent")
    func refusals() async throws {
        let peer = try await UploadPeer()
        let api = peer.api
        let failures = [
            await api.upload(peer.file, to: .resumable(Endpoint<Void>.post("files", body: .text("x")))).failure(),
            await api.upload(peer.file, to: .resumable(Endpoint<Void>.put("files"), using: .tus)).failure(),
            await peer.upload { $0.metadata = ["a b": "c"] }.failure(),
            await api.upload(peer.folder.path("missing"), to: .resumable(UploadPeer.endpoint)).failure(),
            await api.upload(peer.folder.url, to: .resumable(UploadPeer.endpoint)).failure(),
        ]
        #expect(failures.allSatisfy { $0 != nil })
        #expect(peer.server.requestCount == 0)
    }

    @Test("B9 a refusal of the server is thrown, and not repeated", arguments: [400, 403, 413])
    func status(code: Int) async throws {
        let peer = try await UploadPeer()
        peer.uploads.fault = { $0.method == .patch ? .respond(.status(code)) : nil }
        let failure = await peer.upload(using: .tus) { $0.chunkSize = 100_000 }.failure()
        #expect(failure?.response?.status.code == code)
        #expect(peer.server.requests.matching(.patch, "/files/u1").count == 1)
    }

    @Test("B9 a busy server is asked again, up to the client's limit", arguments: [409, 423, 503])
    func busy(code: Int) async throws {
        let peer = try await UploadPeer()
        peer.uploads.fault = { $0.method == .patch ? .respond(.status(code)) : nil }
        let failure = await peer.upload(using: .tus) { $0.chunkSize = 100_000 }.failure()
        #expect(failure?.response?.status.code == code)
        #expect(peer.server.requests.matching(.patch, "/files/u1").count == 3)
    }
}
