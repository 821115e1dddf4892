import Godwit
import GodwitTesting
import TestSupport
import Testing

@Suite("B9 tickets of paused uploads", .timeLimit(.minutes(15)))
struct UploadTicketTests {
    /// Pauses an upload after its first chunk.
    private func paused(_ peer: UploadPeer, _ uploadProtocol: UploadProtocol) async throws -> UploadTicket {
        peer.uploads.fault = { request in
            request.method == .patch && request.fields["Upload-Offset"] != "0" ? .respond(.hang) : nil
        }
        let endpoint = UploadPeer.endpoint.header("X-Api-Key", "s3cret").header("X-Variant", "large")
        let upload = peer.api.upload(
            peer.file,
            to: .resumable(endpoint, using: uploadProtocol) {
                $0.chunkSize = 100_000
                $0.progressInterval = .zero
            })
        await upload.reach(100_001)
        let ticket = try await upload.pause()
        peer.uploads.fault = nil
        return ticket
    }

    @Test(
        "B9 a paused upload continues in another client, from a JSON ticket without secrets",
        arguments: [UploadProtocol.tus, .ietf])
    func travel(uploadProtocol: UploadProtocol) async throws {
        let peer = try await UploadPeer()
        let data = try JSONEncoder().encode(try await paused(peer, uploadProtocol))
        #expect(!String(decoding: data, as: UTF8.self).contains("s3cret"))
        let ticket = try JSONDecoder().decode(UploadTicket.self, from: data)
        #expect(ticket.offset == 100_000)
        #expect(ticket.location?.path == "/files/u1")
        let upload = APIClient.eager(peer.server).resume(ticket)
        try await upload.value
        #expect(peer.isReceived)
        #expect(peer.server.requests.last?.fields["X-Variant"] == "large")
        #expect(peer.server.requests.matching(.post, "/files").count == 1)
        #expect(upload.startOvers.isEmpty)
    }

    @Test("B9 a changed file is refused", arguments: ["longer", "touched", "replaced", "gone"])
    func changed(change: String) async throws {
        let peer = try await UploadPeer()
        let ticket = try await paused(peer, .tus)
        switch change {
        case "longer": try (peer.content.data + Data("x".utf8)).write(to: peer.file)
        case "gone": try FileManager.default.removeItem(at: peer.file)
        case "replaced":
            let other = peer.folder.path("other")
            try peer.content.data.write(to: other)
            try FileManager.default.removeItem(at: peer.file)
            try FileManager.default.moveItem(at: other, to: peer.file)
        default:
            try peer.content.data.write(to: peer.file)
        }
        let failure = await peer.api.resume(ticket).failure()
        guard case .file(let reason) = failure?.kind else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(reason.contains("film.bin"))
        #expect(peer.server.requests.matching(.head, "/files/u1").isEmpty)
    }

    @Test("B9 a file that changes while it is sent is refused")
    func changing() async throws {
        let peer = try await UploadPeer()
        let (file, data) = (peer.file, peer.content.data)
        peer.uploads.fault = { request in
            if request.method == .patch { try? (data + Data("x".utf8)).write(to: file) }
            return nil
        }
        let failure = await peer.upload(using: .tus) { $0.chunkSize = 100_000 }.failure()
        guard case .file = failure?.kind else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(peer.uploads.completed.isEmpty)
    }

    @Test("B9 an upload that the server lost meanwhile starts over, and says so")
    func lost() async throws {
        let peer = try await UploadPeer()
        let ticket = try await paused(peer, .tus)
        peer.uploads.removeAll()
        let upload = peer.api.resume(ticket)
        try await upload.value
        #expect(peer.isReceived)
        #expect(upload.startOvers.map(\.lostBytes) == [100_000])
    }

    @Test("B9 a ticket file is there before the first byte, names the upload, and is gone at the end")
    func ticketFile() async throws {
        let peer = try await UploadPeer()
        let ticketFile = peer.folder.path("film.ticket")
        peer.uploads.fault = { request in
            // Both are on the disk by then, as a killed process would find them.
            guard let ticket = try? UploadTicket(contentsOf: ticketFile) else { return .respond(.status(400)) }
            if request.method == .patch, ticket.location == nil { return .respond(.status(400)) }
            return nil
        }
        try await peer.upload(using: .tus) {
            $0.chunkSize = 100_000
            $0.ticketFile = ticketFile
        }.value
        #expect(peer.isReceived)
        #expect(!FileManager.default.fileExists(atPath: ticketFile.path))
    }

    @Test("B9 after a failure, the same upload continues from its ticket file", arguments: [false, true])
    func restart(byTicket: Bool) async throws {
        let peer = try await UploadPeer(attempts: 1)
        let ticketFile = peer.folder.path("film.ticket")
        let configure: (inout UploadOptions) -> Void = {
            $0.chunkSize = 100_000
            $0.ticketFile = ticketFile
        }
        peer.uploads.fault = { $0.fields["Upload-Offset"] == "200000" ? .cut(after: 50_000) : nil }
        #expect(await peer.upload(configure: configure).failure() != nil)
        peer.uploads.fault = nil
        let mode = try FileManager.default.attributesOfItem(atPath: ticketFile.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let again =
            byTicket
            ? peer.api.resume(try UploadTicket(contentsOf: ticketFile)) : peer.upload(configure: configure)
        try await again.value
        #expect(peer.isReceived)
        #expect(peer.uploads.receivedBytes == 300_000)
        #expect(!FileManager.default.fileExists(atPath: ticketFile.path))
    }

    @Test(
        "B9 an invalid ticket says why",
        arguments: [
            (#""version":1"#, #""version":9"#, "its version, 9, is not known"),
            (#""size":300000"#, #""size":300001"#, "its parts make no sense"),
            (#""start":0"#, #""start":-1"#, "its parts make no sense"),
            (#""offset":100000"#, #""offset":300001"#, "its parts make no sense"),
            (#""method":"POST""#, #""method":"a b""#, "its method is not valid"),
            (#""url":"http:"#, #""url":"ftp:"#, "a URL in it cannot be used"),
        ])
    func damage(old: String, new: String, reason: String) async throws {
        let peer = try await UploadPeer()
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let text = String(decoding: try encoder.encode(try await paused(peer, .tus)), as: UTF8.self)
        let damaged = text.replacing(old, with: new)
        #expect(damaged != text)
        #expect {
            _ = try JSONDecoder().decode(UploadTicket.self, from: Data(damaged.utf8))
        } throws: { error in
            guard case DecodingError.dataCorrupted(let context)? = error as? DecodingError else { return false }
            return context.debugDescription.contains("the upload ticket cannot be used: \(reason)")
        }
    }

    @Test("B9 a ticket of another origin is refused, and an unreadable ticket file")
    func refused() async throws {
        let peer = try await UploadPeer()
        let ticket = try await paused(peer, .tus)
        let other = APIClient(baseURL: "http://127.0.0.1:1")
        let failure = await other.resume(ticket).failure()
        guard case .invalidRequest = failure?.kind else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(throws: NetworkError.self) { try UploadTicket(contentsOf: peer.folder.path("missing")) }
    }
}
