import Glibc
import Godwit
import TestSupport
import Testing

/// Eight processes against a server that counts.
@Suite(
    "Fleet of processes", .enabled(if: RedisPeer.isAvailable, RedisPeer.hint), .serialized, .timeLimit(.minutes(15)))
struct FleetProcessTests {
    /// A member of the fleet, as a process of its own.
    private final class Member: Sendable {
        private let child: ChildProgram
        private let input: Int32
        private let output: Int32

        init(_ arguments: [String]) throws {
            let program = try #require(ChildProgram.built("FleetMember"))
            let (input, output) = (try ChildProgram.Pipe(), try ChildProgram.Pipe())
            child = try ChildProgram(
                [program.path] + arguments, ChildProgram.Streams(input: input.reading, output: output.writing))
            (self.input, self.output) = (input.writing, output.reading)
        }

        deinit {
            child.signal(SIGKILL)
            close(input)
            close(output)
        }

        func line() async -> String {
            await child.waiting { [output] in
                var text: [UInt8] = []
                var byte: UInt8 = 0
                while read(output, &byte, 1) == 1, byte != 0x0A { text.append(byte) }
                return String(decoding: text, as: UTF8.self)
            }
        }

        func begin() { _ = write(input, "\n", 1) }
    }

    @Test(
        "G5 8 processes send at least 95 % and at most 101 % of the limit",
        arguments: [(rate: 50.0, seconds: 10.0), (rate: 500.0, seconds: 10.0)])
    func exact(rate: Double, seconds: Double) async throws {
        let redis = try await RedisPeer()
        // The server too is a process of its own: this one is busy with other tests.
        let server = try Member(["count", "\(seconds)"])
        let url = await server.line()
        let members = try (0..<8).map { _ in
            try Member(["rate", redis.url, url, "\(seconds)", "\(rate)", "16"])
        }
        for member in members { #expect(await member.line() == "ready") }
        for member in members { member.begin() }
        var sent = 0
        for member in members {
            let words = await member.line().split(separator: " ")
            #expect(words.first == "sent")
            sent += words.last.flatMap { Int($0) } ?? 0
        }
        server.begin()
        let counts = await server.line().split(separator: " ").compactMap { Int($0) }
        try #require(counts.count == 4)
        let (total, count, most) = (counts[0], Double(counts[1]), Double(counts[2]))
        let expected = rate * (seconds - 1)
        print("fleet: limit \(rate)/s, \(count / expected * 100) % of it, at most \(Int(most)) in any second")
        #expect(sent == total)
        #expect(count >= expected * 0.95)
        #expect(count <= expected * 1.01)
        // On a busy machine, the server looks at requests up to 100 ms late, and so at more of them in the next second.
        #expect(most <= rate * 1.01 + max(1, rate * 0.1))
    }
}
