import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

@Suite("G1 godwit upload --resume", .timeLimit(.minutes(15)))
struct UploadResumeTests {
    private let folder = TemporaryFolder()

    @Test("G1 B9 --resume uploads with POST by the protocol of the server, and leaves no file behind")
    func resume() async throws {
        let uploads = MockUploads()
        let server = try await MockServer { $0.resumableUploads("/files", into: uploads) }
        let path = try folder.write("0123456789", to: "f.txt")
        let run = await Run.godwit("upload", "--resume", path, "\(server.url)files")
        #expect(run.code == .success && run.output.isEmpty)
        #expect(uploads.completed.map(\.data) == [Data("0123456789".utf8)])
        #expect(try folder.names == ["f.txt"])
    }

    @Test("G1 B9 a file whose name has 255 bytes can be resumed")
    func longName() async throws {
        let uploads = MockUploads()
        let server = try await MockServer { $0.resumableUploads("/files", into: uploads) }
        let path = try folder.write("0123456789", to: String(repeating: "n", count: 255))
        let run = await Run.godwit("upload", "--resume", path, "\(server.url)files")
        #expect(run.code == .success, "\(run.errors)")
        #expect(try folder.names.count == 1)
    }

    @Test(
        "G1 options that need --resume, and files that can't be resumed, are usage errors",
        arguments: [["--chunk-size", "1", "f"], ["--connections", "2", "f"], ["--resume", "-"]])
    func usage(words: [String]) async throws {
        let run = await Run.godwit(["upload"] + words + ["http://127.0.0.1:1/x"])
        #expect(run.code == .usage)
        #expect(run.errors.contains("--resume"))
    }

    #if canImport(Glibc)
    @Test(
        "G1 B9 after 50 times kill -9 the server has the file, and each cost less than two chunks",
        .enabled(if: SpawnedProgram.path != nil))
    func killed() async throws {
        let rounds = 50
        let size = 52 << 18
        let uploads = MockUploads { $0.bytesPerSecond = 8 << 20 }
        var options = MockServer.Options()
        options.receiveBuffer = 16 << 10
        let server = try await MockServer(options) { $0.resumableUploads("/files", into: uploads) }
        var random = SeededGenerator(seed: 3)
        var content = Data(capacity: size)
        while content.count < size { withUnsafeBytes(of: random.next()) { content.append(contentsOf: $0) } }
        try content.write(to: folder.url.appending(path: "film"))
        let line = ["upload", "--resume", "--chunk-size", "1", folder.path("film"), "\(server.url)files", "-q"]
        for round in 1...rounds {
            let program = try SpawnedProgram(line)
            let place = Int64(round) << 18 - Int64.random(in: 0..<(1 << 18), using: &random)
            while uploads.uploads.first?.offset ?? 0 < place { try await Task.sleep(for: .milliseconds(2)) }
            program.signal(9)
            #expect(await program.exitCode() == -9)
        }
        #expect(try await SpawnedProgram(line).exitCode() == 0)
        #expect(uploads.completed.map(\.data) == [content])
        #expect(uploads.uploads.count == 1)
        #expect(Int(uploads.receivedBytes) - size < rounds * 2 << 20)
        #expect(try folder.names == ["film"])
    }
    #endif
}
