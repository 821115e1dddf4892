import GodwitWire
import Testing

@Suite("C7 Cache-Status")
struct CacheStatusTests {
    private func statuses(_ values: String...) -> [CacheStatus] {
        var fields = HTTPFields()
        for value in values { fields.append(value, for: .cacheStatus) }
        return fields.cacheStatus
    }

    @Test(
        "C7 the examples of RFC 9211 are read and written",
        arguments: [
            "ExampleCache; hit", "ExampleCache; fwd=uri-miss", "ExampleCache; hit; ttl=-412",
            "ExampleCache; hit; ttl=376", "ExampleCache; fwd=stale; fwd-status=304",
            "ExampleCache; fwd=bypass; detail=blocked", "ExampleCache; fwd=uri-miss; stored",
            "ExampleCache; fwd=uri-miss; collapsed", "ExampleCache; hit; detail=MEMORY",
            "ExampleCache; hit; key=\"a/b \\\"c\\\"\"", "\"CDN Company Here\"; hit; ttl=545",
        ])
    func examples(text: String) {
        #expect(statuses(text).map(\.description) == [text])
    }

    @Test("C7 several caches are listed from the origin's to the user's, whether in one field or several")
    func several() {
        let list = statuses("OriginCache; hit; ttl=1100", "\"CDN Company Here\"; fwd=stale; fwd-status=304;stored")
        #expect(list.map(\.cache) == ["OriginCache", "CDN Company Here"])
        #expect(list.map(\.isHit) == [true, false])
        #expect(list.map(\.timeToLive) == [1100, nil])
        #expect(list.map(\.forwardReason) == [nil, .stale])
        #expect(list.map(\.forwardStatus) == [nil, .notModified])
        #expect(list.map(\.isStored) == [false, true])
    }

    @Test("C7 parameters that are unknown, or of another type than theirs, are ignored")
    func parameters() {
        let status = statuses(
            "a; hit=1; fwd=\"x\"; fwd-status=999999999999999; ttl=1.5; stored=?0; key=k; detail=7; new=(1)"
        ).first
        // An inner list as a parameter is invalid, and with it the whole field.
        #expect(status == nil)
        let valid = statuses(
            "a; hit=1; fwd=\"x\"; fwd-status=999999999999999; ttl=1.5; stored=?0; key=k; detail=7; new"
        ).first
        #expect(valid == CacheStatus(cache: "a"))
        #expect(statuses("a; fwd=made-up").first?.forwardReason == .init(rawValue: "made-up"))
    }

    @Test(
        "C7 a field that is missing or invalid has no caches; a member without a name is skipped",
        arguments: [
            ([], 0), ([""], 0), (["a; hit,"], 0), (["a; hit; TTL=1"], 0), (["a, (b c), 7, :YQ==:, c; hit"], 2),
            (["a é"], 0), ([String(repeating: "a,", count: 99) + "a"], 64),
        ])
    func invalid(values: [String], count: Int) {
        var fields = HTTPFields()
        for value in values { fields.append(value, for: .cacheStatus) }
        #expect(fields.cacheStatus.count == count)
    }

    @Test("C7 a status with text outside ASCII has a description, too")
    func foreign() {
        var status = CacheStatus(cache: "é")
        status.detail = "\u{1B}[2J"
        #expect(status.description == "%\"%c3%a9\"; detail=%\"%1b[2J\"")
    }
}
