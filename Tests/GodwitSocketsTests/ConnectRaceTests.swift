import Godwit
import Testing

@testable import GodwitSockets

@Suite("T12 the race of a host's addresses")
struct ConnectRaceTests {
    private let start = LoopTime.current()

    private func address(_ text: String, port: Int = 443) throws -> SocketAddress {
        try #require(SocketAddress(text, port: port))
    }

    private func time(_ milliseconds: Int64) -> LoopTime { start + milliseconds * 1_000_000 }

    /// Plays a race of silent addresses: what is tried, and after how many milliseconds.
    private func play(_ addresses: [SocketAddress]) -> [(Int64, SocketAddress)] {
        var race = ConnectRace(addresses, at: start)
        var tried: [(Int64, SocketAddress)] = []
        for now in stride(from: Int64(0), through: 3000, by: 10) {
            while let address = race.next(at: time(now)) { tried.append((now, address)) }
        }
        #expect(race.due == nil)
        return tried
    }

    @Test("T12 silent addresses are tried 200 ms apart, in their order")
    func order() throws {
        let all = try ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map { try address($0) }
        let tried = play(all)
        #expect(tried.map(\.0) == [0, 200, 400])
        #expect(tried.map(\.1) == all)
    }

    @Test("T12 families take turns")
    func families() throws {
        let all = try ["2001:db8::1", "2001:db8::2", "192.0.2.1", "192.0.2.2", "192.0.2.3"].map { try address($0) }
        #expect(play(all).map(\.1) == [all[0], all[2], all[1], all[3], all[4]])
    }

    @Test("T12 an address that is there twice is tried once, and no address is no race")
    func twice() throws {
        let first = try address("192.0.2.1")
        #expect(play([first, first, try address("192.0.2.1", port: 80)]).count == 2)
        #expect(play([]).isEmpty)
    }

    @Test("T12 at most eight addresses are tried")
    func most() throws {
        #expect(play(try (1...40).map { try address("192.0.2.\($0)") }).count == ConnectRace.mostAddresses)
    }

    @Test("T12 after a failure the next address is tried immediately, and after the last none")
    func failed() throws {
        let all = try ["192.0.2.1", "192.0.2.2"].map { try address($0) }
        var race = ConnectRace(all, at: start)
        #expect(race.next(at: time(0)) == all[0])
        #expect(race.next(at: time(199)) == nil)
        race.failed(at: time(50))
        #expect(race.due == time(50))
        #expect(race.next(at: time(50)) == all[1])
        race.failed(at: time(60))
        #expect(race.due == nil && race.next(at: time(1000)) == nil)
    }
}
