import ContentAPIServer
import ContentReaderKit
import Godwit
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

@Suite("The tour", .timeLimit(.minutes(15)))
struct TourTests {
    @Test("Every step is as expected against the embedded API")
    func passes() async throws {
        let server = try await ContentAPIServer(.immediate)
        var reported: [String] = []
        let outcomes = await Tour.run(baseURL: server.url) { reported.append($0.step) }
        #expect(outcomes.filter { !$0.isAsExpected }.map(\.detail) == [])
        #expect(outcomes.count == 33)
        #expect(reported == outcomes.map(\.step))
        await server.stop()
    }

    #if canImport(Glibc)
    @Test("V6 the program shows all steps, those of another process and of the testing kit too")
    func program() async throws {
        let path = try #require(ChildProgram.built("content-reader")).path
        let pipe = try ChildProgram.Pipe()
        let program = try ChildProgram([path], ChildProgram.Streams(output: pipe.writing))
        let text = await program.waiting {
            var (text, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
            while case let count = read(pipe.reading, &chunk, chunk.count), count > 0 { text += chunk.prefix(count) }
            close(pipe.reading)
            return String(decoding: text, as: UTF8.self)
        }
        #expect(await program.end() == 0, "\(text)")
        #expect(text.contains("All 37 steps as expected"), "\(text)")
    }
    #endif

    @Test("Every step is as expected against a small API")
    func small() async throws {
        var options = ContentAPIServer.Options.immediate
        options.articleCount = 10
        let server = try await ContentAPIServer(options)
        let outcomes = await Tour.run(baseURL: server.url) { _ in }
        #expect(outcomes.filter { !$0.isAsExpected }.map(\.detail) == [])
        await server.stop()
    }

    @Test("Without a server each step fails with a reason")
    func failsWithoutServer() async {
        let outcomes = await Tour.run(baseURL: "http://127.0.0.1:1") { _ in }
        #expect(outcomes.filter(\.isAsExpected).map(\.step) == [])
        #expect(outcomes.allSatisfy { !$0.detail.isEmpty })
    }
}

@Suite("The text of the tour", .timeLimit(.minutes(15)))
struct TourTextTests {
    @Test(
        "Durations have three digits and a unit",
        arguments: [
            (Duration.microseconds(1), "0.00 ms"), (.microseconds(3140), "3.14 ms"), (.microseconds(9996), "10.0 ms"),
            (.milliseconds(31), "31.0 ms"), (.milliseconds(314), "314 ms"), (.milliseconds(1010), "1.01 s"),
            (.seconds(100), "100 s"),
        ])
    func durations(_ duration: Duration, _ text: String) {
        #expect(duration.short == text)
    }

    @Test("Plain text has no escape codes, colored text has")
    func colors() async {
        let outcomes = await Tour.run(baseURL: "http://127.0.0.1:1") { _ in }
        let plain = TourText(.plain).summary(outcomes) + outcomes.map(TourText(.plain).line).joined()
        #expect(!plain.contains("\u{1B}") && plain.contains("✗"))
        #expect(TourText(.colored).summary(outcomes).contains("\u{1B}[31m"))
    }
}
