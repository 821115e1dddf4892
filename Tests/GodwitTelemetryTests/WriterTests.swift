import Godwit
@testable import GodwitTelemetry
import GodwitTesting
import Testing

@Suite("Messages of OTLP")
struct WriterTests {
    private func json(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func protobuf(_ write: (inout ProtobufWriter) -> Void) -> [UInt8] {
        var writer = ProtobufWriter()
        write(&writer)
        return writer.bytes
    }

    @Test("G6 JSON has hexadecimal IDs, 64-bit integers as strings, and names for what isn't a number")
    func jsonForms() {
        let text = json { writer in
            writer.bytes(1, "traceId", words: [0x0AF7_0000_0000_0001, 2])
            writer.int64(2, "a", -5)
            writer.enumeration(3, "kind", 3)
            writer.fixed64(4, "b", UInt64.max)
            writer.double(5, "c", 0.25)
            writer.double(6, "d", [.infinity, -.infinity, .nan])
            writer.bool(7, "e", true)
            writer.messages(8, "f", [1, 2]) { $0.int64(1, "g", Int64($1)) }
            writer.messages(9, "h", [Int]()) { $0.int64(1, "g", Int64($1)) }
        }
        #expect(
            text
                == #"{"traceId":"0af70000000000010000000000000002","a":"-5","kind":3,"b":"18446744073709551615","c":0.25,"#
                + #""d":["Infinity","-Infinity","NaN"],"e":true,"f":[{"g":"1"},{"g":"2"}],"h":[]}"#)
    }

    @Test("G6 any text is valid JSON, and comes back unchanged")
    func texts() throws {
        var generator = SeededGenerator(seed: 24)
        for _ in 0..<200 {
            let scalars = (0..<20).map { _ in Unicode.Scalar(UInt32.random(in: 0..<0x300, using: &generator)) ?? "x" }
            let text = String(String.UnicodeScalarView(scalars)) + "\"\\{\n"
            let document = json { $0.string(1, "text", text) }
            #expect(try JSONDecoder().decode([String: String].self, from: Data(document.utf8)) == ["text": text])
        }
    }

    @Test("G6 protobuf has tags, variable lengths and little-endian numbers, by its specification")
    func protobufForms() {
        // The examples of the encoding's documentation: 150 in field 1, "testing" in field 2, a message in field 3.
        #expect(protobuf { $0.int64(1, "", 150) } == [0x08, 0x96, 0x01])
        #expect(protobuf { $0.string(2, "", "testing") } == [0x12, 0x07] + Array("testing".utf8))
        #expect(protobuf { $0.message(3, "") { $0.int64(1, "", 150) } } == [0x1A, 0x03, 0x08, 0x96, 0x01])
        #expect(protobuf { $0.int64(1, "", -2) } == [0x08, 0xFE] + Array(repeating: 0xFF, count: 8) + [0x01])
        #expect(protobuf { $0.fixed32(16, "", 1) } == [0x85, 0x01, 1, 0, 0, 0])
        #expect(
            protobuf { $0.bytes(1, "", words: [0x0AF7_0000_0000_00FF]) } == [0x0A, 8, 0x0A, 0xF7, 0, 0, 0, 0, 0, 0xFF])
        #expect(protobuf { $0.fixed64(6, "", [UInt64(1)]) } == [0x32, 8, 1, 0, 0, 0, 0, 0, 0, 0])
        let long = protobuf { $0.message(3, "") { $0.string(1, "", String(repeating: "a", count: 300)) } }
        #expect(Array(long.prefix(6)) == [0x1A, 0xAF, 0x02, 0x0A, 0xAC, 0x02] && long.count == 306)
    }

    @Test("G6 a collector's answer is read in both forms, and a damaged one rejects nothing")
    func answers() {
        let json = Data(#"{"partialSuccess":{"rejectedSpans":"3","errorMessage":"too old"}}"#.utf8)
        let answer = ExportResponse(json, .json)
        #expect(answer.rejected == 3 && answer.message == "too old")
        #expect(ExportResponse(Data(#"{"partialSuccess":{"rejectedDataPoints":2}}"#.utf8), .json).rejected == 2)
        let bytes = protobuf { writer in
            writer.message(1, "") { writer in
                writer.int64(1, "", 7)
                writer.string(2, "", "no")
            }
        }
        let binary = ExportResponse(Data(bytes), nil)
        #expect(binary.rejected == 7 && binary.message == "no")
        #expect(ExportResponse(Data(bytes), ProtobufWriter.mediaType) == binary)
        #expect(ExportResponse(Data(bytes), MediaType("text/html")).rejected == 0)
        #expect(ExportResponse(Data("<html>".utf8), .json).rejected == 0)
        #expect(ExportResponse(Data(#"{"partialSuccess":{"rejectedSpans":"x"}}"#.utf8), .json).rejected == 0)
        for count in 0..<bytes.count { _ = ExportResponse(Data(bytes.prefix(count)), nil) }
    }

    @Test("G6 random bytes are read as protobuf without a trap")
    func randomBytes() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<20_000 {
            let count = Int.random(in: 0..<40, using: &generator)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            var reader = ProtobufReader(Data(bytes))
            var fields = 0
            while reader.next() != nil { fields += 1 }
            #expect(fields <= count)
            _ = ExportResponse(Data(bytes), nil)
        }
    }

    @Test("G6 a histogram counts each value below the first bound that isn't less")
    func histogram() {
        var histogram = Histogram(Histogram.durations)
        for value in [0, 0.005, 0.0051, 9.9, 10, 10.1, 3600] { histogram.record(value) }
        #expect(histogram.counts == [2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2])
        #expect(histogram.count == 7 && histogram.minimum == 0 && histogram.maximum == 3600)
        #expect(Histogram.sizes.first == 256 && Histogram.sizes.last == 67_108_864)
    }
}
