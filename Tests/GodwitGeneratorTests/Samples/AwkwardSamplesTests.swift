@testable import GodwitGenerator
import TestSupport
import Testing

@Suite("G2 Awkward samples")
struct AwkwardSamplesTests {
    @Test("G2 samples with awkward shapes become the API that a person makes of them", arguments: AwkwardSample.all)
    func outline(_ awkward: AwkwardSample) throws {
        let result = try SampleReader.read(awkward.samples, title: nil, guessesEnums: true)
        let lines = SampleOutline.types(result) + SampleOutline.operations(result) + result.notes.map(\.text)
        #expect(lines == awkward.outline.split(separator: "\n").map(String.init))
    }

    @Test("G2 the same samples always make the same description")
    func stable() throws {
        let samples = AwkwardSample.all.flatMap(\.samples)
        let first = try SampleReader.read(samples, title: nil, guessesEnums: true)
        #expect(try SampleReader.read(samples, title: nil, guessesEnums: true) == first)
        #expect(first.operations.count > 15)
    }

    @Test("G2 damaged samples end in an error or a description, never in a trap")
    func damaged() {
        var random = SplitMix(seed: 20)
        var failures = 0
        for sample in AwkwardSample.all.flatMap(\.samples) {
            for _ in 0..<20 {
                var damaged = sample
                var data = sample.responseBody?.data ?? Data()
                for _ in 0..<3 where !data.isEmpty {
                    data[Int(random.next() % UInt64(data.count))] = UInt8(truncatingIfNeeded: random.next())
                }
                damaged.responseBody?.data = data
                do throws(GenerationError) {
                    _ = try SampleReader.read([damaged, sample], title: nil, guessesEnums: true)
                } catch {
                    failures += 1
                    #expect(error.place != nil)
                }
            }
        }
        #expect(failures > 100)
    }

    @Test("G2 a large sample has the types of a small one")
    func large() throws {
        let element = #"{"id": 1, "name": "wren", "at": "2026-05-01T08:00:00Z", "place": {"id": 1, "name": "Lake"}}"#
        let text = "[" + Array(repeating: element, count: 2000).joined(separator: ",\n") + "]"
        let result = try SampleReader.read([.of("GET /birds", text)], title: nil, guessesEnums: true)
        #expect(
            SampleOutline.types(result)
                == ["Bird {id: integer, name: string, at: date-time, place: {id: integer, name: string}}"])
    }
}
