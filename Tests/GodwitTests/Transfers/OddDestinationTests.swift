#if canImport(Glibc)
import Glibc
import Godwit
import GodwitSupport
import GodwitTesting
import TestSupport
import Testing

@Suite("B5 downloads to what isn't a regular file", .timeLimit(.minutes(15)))
struct OddDestinationTests {
    private let folder = TemporaryFolder()
    private let content = Content(300_000)
    private let pipe: URL

    init() {
        pipe = folder.pipe()
    }

    private func server() async throws -> MockServer {
        try await MockServer { [content] route in
            route.get("/a.bin").reply { content.answer($0) }
            route.get("/named").reply { content.answer($0).field(.contentDisposition, "attachment; filename=pipe") }
        }
    }

    /// Reads the pipe to its end on a thread of its own. The end comes after the descriptor is closed.
    private func reader() -> (data: Task<Data, Never>, end: Int32) {
        let reading = open(pipe.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        _ = fcntl(reading, F_SETFL, 0)
        let end = open(pipe.path, O_WRONLY | O_CLOEXEC)
        let data = Task {
            await BlockingWork.run {
                var (data, buffer) = (Data(), [UInt8](repeating: 0, count: 1 << 16))
                while case let count = read(reading, &buffer, buffer.count), count > 0 { data += buffer[..<count] }
                close(reading)
                return data
            }
        }
        return (data, end)
    }

    @Test("B5 B6 a pipe gets the bytes as they arrive, with progress, and is not replaced")
    func arrival() async throws {
        let server = try await server()
        let reader = reader()
        let download = APIClient.eager(server).download(Endpoint<Void>.get("a.bin"), to: pipe) {
            $0.existingFile = .replace
            $0.digest = ContentDigest(sha256: SHA256.digest([UInt8](content.data)))
            $0.parallelRanges = 4
        }
        let error = await download.failure()
        close(reader.end)
        #expect(error == nil)
        #expect(try await download.file.path == pipe.path)
        // Compared here: `#expect` looks for the differences of two collections, which takes minutes for these.
        let isWhole = await reader.data.value == content.data
        #expect(isWhole)
        #expect(try folder.names == ["pipe"])
        var last: TransferProgress?
        for await progress in download.progress { last = progress }
        #expect(last?.completed == 300_000 && last?.total == 300_000)
    }

    @Test("B7 a download to a pipe can't be paused; canceling it ends the wait for the pipe's reader")
    func cancel() async throws {
        let reading = open(pipe.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(reading) }
        let server = try await server()
        let download = APIClient.eager(server).download(Endpoint<Void>.get("a.bin"), to: pipe)
        let error = await #expect(throws: NetworkError.self) { _ = try await download.pause() }
        guard case .invalidRequest = error?.kind else { Issue.record("\(String(describing: error))"); return }
        download.cancel()
        #expect(await download.failure()?.kind == .cancelled)
        #expect(try folder.names == ["pipe"])
    }

    @Test("B5 a server can't choose a pipe, device or folder as destination, and nothing is received")
    func suggested() async throws {
        let server = try await server()
        for path in ["named", "a.bin"] {
            if path == "a.bin" { mkdir(folder.path("a.bin").path, 0o700) }
            let download = APIClient.eager(server).download(Endpoint<Void>.get("\(path)"), to: folder.url) {
                $0.existingFile = .replace
            }
            let name = path == "named" ? "pipe" : path
            #expect(await download.failure()?.kind == .file(reason: "\(name) is not a regular file"))
        }
        // It isn't said to exist, for which the advice would be to replace it.
        let kept = APIClient.eager(server).download(Endpoint<Void>.get("named"), to: folder.url)
        #expect(await kept.failure()?.kind == .file(reason: "pipe is not a regular file"))
        #expect(try folder.names == ["a.bin", "pipe"])
    }

    @Test("B5 a name of 256 bytes is .file before anything is sent; one of 255 can be downloaded to")
    func names() async throws {
        let server = try await server()
        let names = [255, 256].map { String(repeating: "n", count: $0) }
        let long = APIClient.eager(server).download(Endpoint<Void>.get("a.bin"), to: folder.path(names[1]))
        #expect(await long.failure()?.kind == .file(reason: "cannot create \(names[1]): File name too long"))
        #expect(server.requestCount == 0)
        _ = try await APIClient.eager(server).download(Endpoint<Void>.get("a.bin"), to: folder.path(names[0])).file
        #expect(try folder.names == [names[0], "pipe"])
    }
}
#endif
