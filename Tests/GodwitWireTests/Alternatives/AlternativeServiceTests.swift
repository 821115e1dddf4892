import GodwitTesting
@testable import GodwitWire
import Testing

@Suite struct AlternativeServiceTests {
    private func services(_ values: String...) -> [AlternativeService]? {
        var fields = HTTPFields()
        for value in values { fields.append(value, for: .altSvc) }
        guard case .services(let services)? = AlternativeServiceField.parse(fields) else { return nil }
        return services
    }

    @Test("T15 an Alt-Svc field names protocols, hosts and ports, the preferred one first")
    func several() {
        #expect(
            services(#"h3=":443"; ma=3600; persist=1, h2="Alt.Example:8443", h3-29="[::1]:1";ma=5"#, #"w%3Dx=":9""#)
                == [
                    AlternativeService(protocolID: "h3", port: 443, maximumAge: 3600, persists: true),
                    AlternativeService(protocolID: "h2", host: "alt.example", port: 8443),
                    AlternativeService(protocolID: "h3-29", host: "[::1]", port: 1, maximumAge: 5),
                    AlternativeService(protocolID: "w=x", port: 9),
                ])
    }

    @Test(
        "T15 an alternative service is valid for a day unless the field says otherwise, and for a year at most",
        arguments: [
            (#"h3=":1""#, 86_400), (#"h3=":1"; ma=0"#, 0), (#"h3=":1"; ma=60; MA="61""#, 61),
            (#"h3=":1"; ma=99999999999999999999999"#, AlternativeService.longestAge),
            (#"h3=":1" ; unknown="a,b;c" ; ma=7"#, 7),
        ])
    func age(value: String, seconds: Int) {
        #expect(services(value)?.map(\.maximumAge) == [seconds])
    }

    @Test(
        "T15 alternative services that can't be parsed are skipped, and the others count",
        arguments: [
            "h3", "h3=", "h3=:443", #"h3="443""#, #"h3=":0""#, #"h3=":65536""#, #"h3=":-1""#, #"h3=":+1""#,
            #"h3="a b:1""#, #"h3="a/b:1""#, #"h3=":1"; ma=x"#, #"h3=":1"; ma=-1"#, #"h3=":1"; ma"#, #"h3=":1" x"#,
            #"=":1""#, #"h%ZZ=":1""#, "Clear", #""h3=:1""#, #"clear=":1"; ma=q"#,
        ])
    func malformed(value: String) {
        #expect(services(value) == nil)
        #expect(services(value + #", h3=":7""#)?.map(\.port) == [7])
        #expect(services(#"h3=":7","# + value)?.map(\.port) == [7])
    }

    @Test("T15 clear voids what is known, also beside services", arguments: ["clear", " clear ", #"h3=":1", clear"#])
    func clear(value: String) {
        #expect(AlternativeServiceField.parse([.altSvc: value]) == .clear)
    }

    @Test("T15 only so many services and bytes of an Alt-Svc field are read")
    func bounded() {
        let many = (1...100).map { "h3=\":\($0)\"" }.joined(separator: ",")
        #expect(services(many)?.map(\.port) == Array(1...AlternativeService.mostServices))
        #expect(services(#"h3=":1"; x="# + String(repeating: "a", count: AlternativeService.longestValue)) == nil)
        #expect(AlternativeServiceField.parse([:]) == nil)
    }

    @Test("T15 no field value traps the reader of Alt-Svc")
    func random() {
        var generator = SeededGenerator(seed: 15)
        let bytes = Array(##"h3=":1;,clear%" \ma"##.utf8)
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
                bytes.randomElement(using: &generator) ?? 0
            }
            _ = services(String(decoding: text, as: UTF8.self))
        }
    }
}
