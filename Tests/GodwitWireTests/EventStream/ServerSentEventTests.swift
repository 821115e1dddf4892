import GodwitWire
import Testing

@Suite("X3 events as servers write them")
struct ServerSentEventTests {
    @Test(
        "X3 written events are parsed again",
        arguments: [
            ServerSentEvent(data: "one"), ServerSentEvent(data: ""), ServerSentEvent(data: "a\nb\n\nc"),
            ServerSentEvent(data: " led", type: "price", id: "7", retry: .milliseconds(1500)),
            ServerSentEvent(data: "x", id: ""), "a literal",
        ])
    func roundTrip(event: ServerSentEvent) throws {
        var parser = EventStreamParser()
        parser.append(event.encoded)
        #expect(try parser.next() == event)
        #expect(try parser.next() == nil)
    }

    @Test("X3 CR and CRLF in data end its lines")
    func lineEndings() throws {
        var parser = EventStreamParser()
        parser.append(ServerSentEvent(data: "a\r\nb\rc").encoded)
        #expect(try parser.next()?.data == "a\nb\nc")
    }
}
