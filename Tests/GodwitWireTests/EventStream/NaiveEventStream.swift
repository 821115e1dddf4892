import GodwitWire

/// The standard's words as directly as they can be written down, over a whole stream at once: slow, and easy to check.
struct NaiveEventStream {
    private(set) var events: [ServerSentEvent] = []
    private(set) var lastEventID = ""
    private(set) var reconnectionTime: Duration?

    private var data = ""
    private var type = ""
    private var idBuffer = ""
    private var ownID: String?
    private var retry: Duration?

    init(_ bytes: [UInt8]) {
        var scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        var line = String.UnicodeScalarView()
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            index += 1
            guard scalar == "\n" || scalar == "\r" else {
                line.append(scalar)
                continue
            }
            if scalar == "\r", index < scalars.count, scalars[index] == "\n" { index += 1 }
            process(line)
            line.removeAll()
        }
    }

    private mutating func process(_ line: String.UnicodeScalarView) {
        guard !line.isEmpty else { return dispatch() }
        guard let colon = line.firstIndex(of: ":") else { return set(String(line), to: "") }
        guard colon != line.startIndex else { return }
        var value = line[line.index(after: colon)...]
        if value.first == " " { value = value.dropFirst() }
        set(String(line[..<colon]), to: String(value))
    }

    private mutating func set(_ field: String, to value: String) {
        if field.utf8.elementsEqual("event".utf8) { type = value }
        if field.utf8.elementsEqual("data".utf8) { data += value + "\n" }
        if field.utf8.elementsEqual("id".utf8), !value.unicodeScalars.contains("\0") {
            idBuffer = value
            ownID = value
        }
        if field.utf8.elementsEqual("retry".utf8), !value.isEmpty, value.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) {
            retry = .milliseconds(min(Int64(value) ?? .max, 365 * 86_400_000))
            reconnectionTime = retry
        }
    }

    private mutating func dispatch() {
        lastEventID = idBuffer
        if !data.isEmpty {
            var text = String.UnicodeScalarView(data.unicodeScalars)
            text.removeLast()
            var event = ServerSentEvent(
                data: String(text), type: type.isEmpty ? "message" : type, id: ownID, retry: retry)
            event.lastEventID = lastEventID
            events.append(event)
        }
        data = ""
        type = ""
        ownID = nil
        retry = nil
    }
}
