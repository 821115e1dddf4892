import Godwit
import GodwitTesting
import Synchronization
import TestSupport
import Testing

@Suite("B1 uploads with progress", .timeLimit(.minutes(15)))
struct UploadTests {
    private let folder = TemporaryFolder()
    private let content = Content(500_000)

    private func server() async throws -> MockServer {
        try await MockServer { route in
            route.put("/x").reply { .json(["count": .number(Double($0.bodyByteCount))]) }
            route.put("/busy").replies([.status(503), .json(["count": 1])])
            route.put("/refused").reply(.status(403))
        }
    }

    private struct Receipt: Decodable, Sendable {
        let count: Int
    }

    /// The ways a content can be given.
    enum Kind: String, CaseIterable, Sendable {
        case memory, file, stream, unknownLength, multipart
    }

    private func body(_ kind: Kind) throws -> RequestBody {
        let data = content.data
        let file = folder.path("f.bin")
        if kind == .file || kind == .multipart { try data.write(to: file) }
        let chunks: @Sendable () -> AsyncStream<Data> = {
            AsyncStream { stream in
                for start in Swift.stride(from: 0, to: data.count, by: 50_000) {
                    stream.yield(Data(data[start..<start + 50_000]))
                }
                stream.finish()
            }
        }
        return switch kind {
        case .memory: .data(data)
        case .file: .file(at: file)
        case .stream: .stream(.stream(length: Int64(data.count), chunks))
        case .unknownLength: .stream(.stream(length: nil, chunks))
        case .multipart: .multipart { $0.file("f", at: file) }
        }
    }

    @Test(
        "B1 every kind of body is sent, with progress until its last byte",
        arguments: Kind.allCases)
    func sequence(kind: Kind) async throws {
        let server = try await server()
        let upload = APIClient.eager(server).uploading(Endpoint<Receipt>.put("x"), body: try body(kind))
        var last = TransferProgress()
        for await progress in upload.progress { last = progress }
        let count = try await upload.value.count
        #expect(kind == .multipart ? count > 500_000 : count == 500_000)
        #expect(last.completed == Int64(count))
        #expect(last.total == (kind == .unknownLength ? nil : Int64(count)))
    }

    @Test("B1 a callback receives the progress, and the upload returns the decoded response")
    func callback() async throws {
        let server = try await server()
        let seen = Mutex<[TransferProgress]>([])
        let upload = APIClient.eager(server).uploading(Endpoint<Receipt>.put("x"), body: try body(.memory)) {
            progress in
            seen.withLock { $0.append(progress) }
        }
        let receipt = try await upload.value
        #expect(receipt.count == 500_000)
        #expect(seen.withLock(\.first)?.completed == 0)
        #expect(seen.withLock(\.last)?.fraction == 1)
    }

    @Test("B1 a repeated upload is complete at the end, and a rejected one throws")
    func again() async throws {
        let server = try await server()
        let api = APIClient.eager(server)
        let upload = api.uploading(Endpoint<Receipt>.put("busy"), body: try body(.memory))
        #expect(try await upload.response.head.status == .ok)
        #expect(server.requests.map(\.bodyByteCount) == [500_000, 500_000])
        await #expect { _ = try await api.upload(Endpoint<Receipt>.put("refused"), body: .text("x")) } throws: {
            error in
            (error as? NetworkError)?.kind == .forbidden
        }
    }
}
