import GodwitTesting
@testable import GodwitWire
import Testing

@Suite("B7 byte ranges of a download")
struct PieceMapTests {
    @Test("B7 received ranges are ordered, joined and within the total")
    func present() {
        let map = PieceMap(total: 100, present: [50..<60, 0..<10, 60..<70, 5..<20, 90..<200, 300..<400, 30..<30])
        #expect(map.present == [0..<20, 50..<70, 90..<100])
        #expect(map.prefix == 20 && map.beyondPrefix == [50..<70, 90..<100] && map.count == 50)
        let behind = PieceMap(total: 100, present: [50..<60])
        #expect(behind.prefix == 0 && behind.beyondPrefix == [50..<60])
    }

    @Test("B7 pieces are taken from the gaps, front to back, none twice")
    func taking() {
        var map = PieceMap(total: 100, present: [0..<20, 50..<70])
        #expect(map.take(upTo: 20) == 20..<40)
        #expect(map.take(upTo: 20) == 40..<50)
        #expect(map.take(upTo: 100) == 70..<100)
        #expect(map.take(upTo: 20) == nil)
    }

    @Test("B7 the missing part of a canceled range is taken again")
    func givingBack() {
        var map = PieceMap(total: 100, present: [])
        #expect(map.take(upTo: 50) == 0..<50)
        map.add(0..<10)
        #expect(map.take(upTo: 50) == 50..<100)
        map.giveBack(10..<50)
        #expect(map.take(upTo: 50) == 10..<50)
        #expect(map.take(upTo: 50) == nil)
    }

    @Test(
        "B7 in any order of taking, arriving and giving up, every byte comes once",
        arguments: 1...20 as ClosedRange<UInt64>)
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var map = PieceMap(total: 1000, present: [Int64(seed)..<Int64(seed) * 3])
        var arrivals = Int64(map.count)
        var underway: [Range<Int64>] = []
        while map.count < map.total {
            if let piece = map.take(upTo: .random(in: 1...200, using: &random)) { underway.append(piece) }
            guard let index = underway.indices.randomElement(using: &random) else { continue }
            let piece = underway.remove(at: index)
            let end = Int64.random(in: piece.lowerBound...piece.upperBound, using: &random)
            map.add(piece.lowerBound..<end)
            arrivals += end - piece.lowerBound
            if end < piece.upperBound { map.giveBack(end..<piece.upperBound) }
        }
        #expect(arrivals == 1000 && map.present == [0..<1000])
    }
}
