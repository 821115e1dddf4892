#if canImport(Glibc)
import Glibc
#endif
import Godwit
import GodwitTesting
import Synchronization
import TestSupport
import Testing

@Suite("B9 a hundred interrupted uploads", .timeLimit(.minutes(15)))
struct UploadInterruptionTests {
    private static let size = 4 << 20
    private static let chunk = 64 << 10

    /// What the server does with the bytes of a request that breaks off.
    enum Keeping: String, CaseIterable, Sendable {
        case kept, dropped
    }

    @Test(
        "B9 after 50 broken connections the server has the file, and each cut costs less than two chunks",
        arguments: [UploadProtocol.tus, .ietf], Keeping.allCases)
    func cuts(uploadProtocol: UploadProtocol, keeping: Keeping) async throws {
        let peer = try await UploadPeer(Self.size, attempts: 50) { $0.keepsBrokenRequests = keeping == .kept }
        let dice = Mutex(SeededGenerator(seed: 42))
        let cuts = Turn()
        let count = Mutex(0)
        peer.uploads.fault = { request in
            guard request.method == .patch, dice.withLock({ Int.random(in: 0..<3, using: &$0) > 0 }), cuts.next() < 50
            else {
                return nil
            }
            count.withLock { $0 += 1 }
            let place = dice.withLock { Int64.random(in: 0...Int64(Self.chunk), using: &$0) }
            return dice.withLock({ Bool.random(using: &$0) }) ? .cut(after: place) : .reset(after: place)
        }
        let upload = peer.upload(using: uploadProtocol) {
            $0.chunkSize = Int64(Self.chunk)
            $0.progressInterval = .zero
        }
        var seen: [Int64] = []
        for await progress in upload.progress { seen.append(progress.completed) }
        try await upload.value
        #expect(peer.isReceived)
        #expect(seen == seen.sorted())
        let interruptions = count.withLock(\.self)
        #expect(interruptions >= 40)
        let twice = Int(peer.uploads.receivedBytes) - Self.size
        #expect(twice <= (keeping == .kept ? 0 : interruptions * Self.chunk))
        #expect(upload.startOvers.isEmpty)
    }

    @Test("B9 paused at 50 random places and resumed by new clients, the server has the file")
    func pauses() async throws {
        let peer = try await UploadPeer(Self.size)
        var dice = SeededGenerator(seed: 7)
        var upload = peer.upload(using: .tus) {
            $0.chunkSize = Int64(Self.chunk)
            $0.progressInterval = .zero
        }
        var pauses = 0
        for round in 0..<50 {
            let place = round == 0 ? 1 : Int64.random(in: 0..<Int64(Self.size), using: &dice)
            await upload.reach(place)
            guard let ticket = try? await upload.pause() else { break }
            pauses += 1
            let data = try JSONEncoder().encode(ticket)
            upload = APIClient.eager(peer.server).resume(try JSONDecoder().decode(UploadTicket.self, from: data))
        }
        try await upload.value
        #expect(peer.uploads.completed.last?.data == peer.content.data)
        #expect(pauses > 0)
    }

    #if canImport(Glibc)
    private static let soaks = ProcessInfo.processInfo.environment["GODWIT_TEST_SOAK"] != nil

    @Test(
        "B9 4 and 20 GiB complete over a link that breaks again and again, in flat memory", .enabled(if: soaks),
        arguments: [4, 20])
    func large(gigabytes: Int64) async throws {
        let size = gigabytes << 30
        let peer = try await UploadPeer(0, attempts: 10) { $0.keepsData = false }
        // Sparse: it has a size, and takes no space.
        try #require(truncate(peer.file.path, off_t(size)) == 0)
        let count = Turn()
        peer.uploads.fault = { request in
            guard request.method == .patch else { return nil }
            return count.next() % 8 == 7 ? .reset(after: 5_000_000) : nil
        }
        let before = try Self.peakMemory()
        let upload = peer.upload(using: .tus)
        try await upload.value
        let growth = try Self.peakMemory() - before
        let twice = peer.uploads.receivedBytes - size
        let breaks = count.next() / 8
        print("B9 \(gigabytes) GiB: \(breaks) breaks, \(twice) bytes twice, peak memory \(growth) KiB more")
        #expect(peer.uploads.completed.first?.offset == size)
        #expect(twice <= 0)
        #expect(growth < 40_000)
    }

    /// The highest resident memory of this process so far, in KiB.
    private static func peakMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.filter(\.isNumber)))
    }
    #endif
}
