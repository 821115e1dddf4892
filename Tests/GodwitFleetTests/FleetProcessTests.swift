import Glibc
import Godwit
@testable import GodwitFleet
import GodwitTesting
import Synchronization
import TestSupport
import Testing

/// Eight processes against a server that counts.
@Suite(
    "Fleet of processes", .enabled(if: RedisPeer.isAvailable, RedisPeer.hint), .serialized, .timeLimit(.minutes(3)))
struct FleetProcessTests {
    /// When requests arrived, in seconds.
    private final class Arrivals: Sendable {
        private let times = Mutex<[Double]>([])
        private let start = ContinuousClock.now

        func add() {
            let time = (ContinuousClock.now - start) / .seconds(1)
            times.withLock { $0.append(time) }
        }

        var all: [Double] { times.withLock(\.self) }

        /// The most in any window of this many seconds.
        func most(in span: Double) -> Int {
            let times = all.sorted()
            var (first, most) = (0, 0)
            for (index, time) in times.enumerated() {
                while times[first] <= time - span { first += 1 }
                most = max(most, index - first + 1)
            }
            return most
        }
    }

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

        func kill() { child.signal(SIGKILL) }
    }

    @Test(
        "G5 8 processes send at least 95 % and at most 101 % of the limit",
        arguments: [(rate: 50.0, seconds: 10.0), (rate: 500.0, seconds: 10.0)])
    func exact(rate: Double, seconds: Double) async throws {
        let redis = try await RedisPeer()
        let arrivals = Arrivals()
        let server = try await MockServer { _ in
            arrivals.add()
            return .status(.noContent)
        }
        let members = try (0..<8).map { _ in
            try Member(["rate", redis.url, "\(server.url)", "\(seconds)", "\(rate)", "16"])
        }
        for member in members { #expect(await member.line() == "ready") }
        for member in members { member.begin() }
        var sent = 0
        for member in members {
            let words = await member.line().split(separator: " ")
            #expect(words.first == "sent")
            sent += words.last.flatMap { Int($0) } ?? 0
        }
        #expect(sent == arrivals.all.count)
        // Each second of the run, without the beginning and the end.
        let (begin, end) = (try #require(arrivals.all.min()) + 0.5, try #require(arrivals.all.min()) + seconds - 0.5)
        let count = Double(arrivals.all.count { $0 >= begin && $0 < end })
        let expected = rate * (end - begin)
        let most = arrivals.most(in: 1)
        print("fleet: limit \(rate)/s, \(count / expected * 100) % of it, at most \(most) in any second")
        #expect(count >= expected * 0.95)
        #expect(count <= expected * 1.01)
        // Requests arrive a few milliseconds later than they are sent: those of two intervals can change the second.
        #expect(Double(most) <= max(rate * 1.01, rate + 2))
    }
}
