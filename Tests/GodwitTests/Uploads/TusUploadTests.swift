import Godwit
import GodwitTesting
import Synchronization
import TestSupport
import Testing

@Suite("B9 uploads by tus", .timeLimit(.minutes(15)))
struct TusUploadTests {
    @Test("B9 a file in one chunk is created and sent in one request, with its name and type")
    func whole() async throws {
        let peer = try await UploadPeer()
        let upload = peer.upload(using: .tus)
        try await upload.value
        #expect(peer.isReceived)
        #expect(peer.log == ["OPTIONS /files", "POST /files"])
        #expect(
            peer.uploads.completed.first?.metadata
                == ["filename": "film.bin", "filetype": "application/octet-stream"])
        #expect(upload.location?.path == "/files/u1")
        #expect(upload.startOvers.isEmpty)
    }

    @Test("B9 a larger file is created empty and sent chunk by chunk, with progress up to its last byte")
    func chunks() async throws {
        let peer = try await UploadPeer()
        let upload = peer.upload(using: .tus) { $0.chunkSize = 100_000 }
        var seen: [Int64] = []
        for await progress in upload.progress { seen.append(progress.completed) }
        try await upload.value
        #expect(peer.isReceived)
        #expect(peer.log == ["OPTIONS /files", "POST /files"] + Array(repeating: "PATCH /files/u1", count: 3))
        #expect(seen == seen.sorted())
        #expect(seen.last == 300_000)
        #expect(peer.uploads.receivedBytes == 300_000)
    }

    @Test("B9 an empty file is an upload too", arguments: [UploadProtocol.tus, .ietf, .discovered])
    func empty(uploadProtocol: UploadProtocol) async throws {
        let peer = try await UploadPeer(0)
        try await peer.upload(using: uploadProtocol).value
        #expect(peer.isReceived)
    }

    @Test("B9 after a broken connection the server is asked, and only the rest is sent", arguments: [false, true])
    func cut(resets: Bool) async throws {
        let peer = try await UploadPeer()
        let turn = Turn()
        peer.uploads.fault = { request in
            guard request.method == .patch, turn.next() == 0 else { return nil }
            return resets ? .reset(after: 120_000) : .cut(after: 120_000)
        }
        try await peer.upload(using: .tus) { $0.chunkSize = 200_000 }.value
        #expect(peer.isReceived)
        #expect(peer.log.contains("HEAD /files/u1"))
        #expect(peer.uploads.receivedBytes == 300_000)
    }

    @Test("B9 a chunk whose response was lost is not sent again")
    func lostResponse() async throws {
        let peer = try await UploadPeer()
        let turn = Turn()
        peer.uploads.fault = { $0.method == .patch && turn.next() == 0 ? .cut(after: .max) : nil }
        try await peer.upload(using: .tus) { $0.chunkSize = 200_000 }.value
        #expect(peer.isReceived)
        #expect(peer.uploads.receivedBytes == 300_000)
    }

    @Test("B9 a server that lost the upload gets it from the start, which the upload reports")
    func lost() async throws {
        let peer = try await UploadPeer()
        let turn = Turn()
        peer.uploads.fault = { $0.method == .patch && turn.next() == 1 ? .loseUploads : nil }
        let upload = peer.upload(using: .tus) { $0.chunkSize = 200_000 }
        try await upload.value
        #expect(peer.isReceived)
        #expect(upload.startOvers.map(\.reason) == [.lost])
        #expect(upload.startOvers.map(\.lostBytes) == [200_000])
    }

    @Test("B9 a server that loses each upload ends the upload with its error")
    func lostAlways() async throws {
        let peer = try await UploadPeer()
        peer.uploads.fault = { $0.method == .patch ? .loseUploads : nil }
        let upload = peer.upload(using: .tus) { $0.chunkSize = 200_000 }
        #expect(await upload.failure()?.kind == .notFound)
        #expect(upload.startOvers.count == 2)
    }

    @Test("B9 an upload that the server forgot after its time is reported as expired")
    func expired() async throws {
        let peer = try await UploadPeer(options: { $0.expires = Date(timeIntervalSince1970: 1_000_000_000) })
        let turn = Turn()
        peer.uploads.fault = { $0.method == .patch && turn.next() == 1 ? .loseUploads : nil }
        let upload = peer.upload(using: .tus) { $0.chunkSize = 200_000 }
        try await upload.value
        #expect(upload.startOvers.map(\.reason) == [.expired])
    }

    @Test("B9 chunks carry SHA-256, and a damaged one is sent again")
    func checksum() async throws {
        let peer = try await UploadPeer()
        let turn = Turn()
        let mismatch = try #require(HTTPStatus(460))
        peer.uploads.fault = { request in
            request.method == .patch && turn.next() == 0 ? .respond(.status(mismatch)) : nil
        }
        try await peer.upload(using: .tus) {
            $0.chunkSize = 200_000
            $0.checksums = .chunks
        }.value
        #expect(peer.isReceived)
        let sums = peer.server.requests.compactMap { $0.fields["Upload-Checksum"] }
        #expect(sums.count == 3)
        #expect(sums.allSatisfy { $0.hasPrefix("sha256 ") })
        #expect(sums[0] == sums[1])
    }

    @Test("B9 parts are sent at once and joined by the server", arguments: [1, 4, 16])
    func parallel(parts: Int) async throws {
        let peer = try await UploadPeer(5 << 20)
        let upload = peer.upload(using: .tus) {
            $0.parallelParts = parts
            $0.chunkSize = 400_000
        }
        try await upload.value
        #expect(peer.isReceived)
        #expect(peer.uploads.uploads.filter(\.isPart).count == (parts == 1 ? 0 : min(parts, 5)))
        #expect(peer.uploads.completed.first?.metadata["filename"] == "film.bin")
    }

    @Test("B9 a lost part is sent again, and the others are kept")
    func lostPart() async throws {
        let peer = try await UploadPeer(4 << 20, attempts: 5)
        let turn = Turn()
        peer.uploads.fault = { $0.method == .patch && turn.next() == 3 ? .loseUploads : nil }
        try await peer.upload(using: .tus) {
            $0.parallelParts = 4
            $0.chunkSize = 300_000
        }.value
        #expect(peer.uploads.completed.last?.data == peer.content.data)
    }

    @Test("B9 a canceled upload is removed at the server")
    func cancel() async throws {
        let peer = try await UploadPeer()
        peer.uploads.fault = { $0.method == .patch ? .respond(.hang) : nil }
        let upload = peer.upload(using: .tus) { $0.chunkSize = 100_000 }
        while !peer.log.contains("PATCH /files/u1") && peer.server.requestCount < 3 { await Task.yield() }
        upload.cancel()
        #expect(await upload.failure()?.kind == .cancelled)
        #expect(peer.log.last == "DELETE /files/u1")
        #expect(peer.uploads.uploads.isEmpty)
    }
}
