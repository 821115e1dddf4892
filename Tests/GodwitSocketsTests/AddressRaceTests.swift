import Godwit
import GodwitCurl
import Testing

@Suite("T12 the race of a host's addresses")
struct AddressRaceTests {
    private let start = LoopTime.current()

    private func address(_ text: String, port: Int = 443) throws -> SocketAddress {
        try #require(SocketAddress(text, port: port))
    }

    private func time(_ milliseconds: Int64) -> LoopTime { start + milliseconds * 1_000_000 }

    /// Plays a race of silent addresses: what is tried, and after how many milliseconds.
    private func play(_ race: inout AddressRace, finding addresses: [SocketAddress]) -> [(Int64, SocketAddress)] {
        var tried: [(Int64, SocketAddress)] = []
        for now in stride(from: Int64(0), through: 3000, by: 10) {
            while let step = race.step(at: time(now)) {
                switch step {
                case .lookUp: race.found(addresses)
                case .connect(let address): tried.append((now, address))
                }
            }
        }
        return tried
    }

    @Test("T12 silent addresses are tried 210 ms apart, in their order")
    func order() throws {
        let all = try ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map { try address($0) }
        var race = AddressRace(all[0], at: start)
        let tried = play(&race, finding: all)
        #expect(tried.map(\.0) == [210, 420])
        #expect(tried.map(\.1) == Array(all[1...]))
        #expect(race.next == nil)
    }

    @Test("T12 families take turns")
    func families() throws {
        let all = try ["2001:db8::1", "2001:db8::2", "192.0.2.1", "192.0.2.2"].map { try address($0) }
        var race = AddressRace(all[0], at: start)
        #expect(play(&race, finding: all).map(\.1) == [all[2], all[1], all[3]])
    }

    @Test("T12 an address that libcurl tries by itself is not tried twice, nor one with another port")
    func tried() throws {
        let all = try ["192.0.2.1", "192.0.2.2"].map { try address($0) }
        var race = AddressRace(all[0], at: start)
        #expect(race.step(at: time(100)) == .lookUp)
        race.found(all + [try address("192.0.2.9", port: 80)])
        race.opened(all[1])
        #expect(race.next == nil)
        #expect(race.step(at: time(1000)) == nil)
    }

    @Test("T12 at most eight addresses are tried")
    func most() throws {
        let all = try (1...40).map { try address("192.0.2.\($0)") }
        var race = AddressRace(all[0], at: start)
        #expect(play(&race, finding: all).count == AddressRace.mostAddresses - 1)
    }

    @Test("T12 after a failure the next address is tried immediately, and after the end none")
    func failed() throws {
        let all = try ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map { try address($0) }
        var race = AddressRace(all[0], at: start)
        _ = race.step(at: time(100))
        race.found(all)
        #expect(race.step(at: time(209)) == nil)
        #expect(race.step(at: time(210)) == .connect(all[1]))
        race.failed(at: time(215))
        #expect(race.step(at: time(215)) == .connect(all[2]))
        race.end()
        #expect(race.next == nil)
    }

    @Test("T12 the hosts of a route are the proxy's and the URL's, by port")
    func routes() throws {
        let url = try HTTPURL("https://service.example/")
        let direct = RouteHosts(ProxyRules(.none))
        #expect(direct.hosts(for: url, port: 443) == [HostAndPort(host: "service.example", port: 443)])
        #expect(direct.hosts(for: url, port: 80).isEmpty)
        #expect(direct.hosts(for: try HTTPURL("https://192.0.2.1/"), port: 443).isEmpty)
        #expect(!direct.isAmbiguous(for: url))
        for (text, host, port) in [
            ("http://proxy.example:3128", "proxy.example", 3128),
            ("socks5h://me:s3cret@Proxy.Example:9/", "proxy.example", 9),
            ("https://proxy.example", "proxy.example", 443), ("proxy.example", "proxy.example", 1080),
        ] {
            #expect(RouteHosts.host(text) == HostAndPort(host: host, port: port))
            let route = RouteHosts(ProxyRules(.url(text)))
            #expect(route.hosts(for: url, port: UInt16(port)).first?.host == host)
            #expect(route.isAmbiguous(for: url))
        }
        for text in ["", "http://", "http://[::1]:80", "http://proxy.example:port", "://:@:"] {
            #expect(RouteHosts.host(text) == nil, "\(text)")
        }
    }
}
