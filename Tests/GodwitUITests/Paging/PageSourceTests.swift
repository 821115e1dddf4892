import GodwitCore
import GodwitTesting
import GodwitUI
import Testing

@Suite("P2 page loader of closures", .timeLimit(.minutes(15)))
@MainActor
struct PageSourceTests {
    private struct Mishap: Error {}

    private let asked = Watched<[String]>([])

    @Test("P2 pages by cursor come from any closure, up to the last")
    func cursor() async {
        let list = PageLoader(
            .cursor { [asked] cursor in
                asked.update { $0.append(cursor ?? "first") }
                let number = cursor.flatMap { Int($0) } ?? 0
                return RowPage([number], next: number < 2 ? "\(number + 1)" : "")
            })
        while list.hasMore { await list.loadMore() }
        #expect(list.items.map(\.id) == [0, 1, 2])
        #expect(asked.value == ["first", "1", "2"])
    }

    @Test("P2 pages by a cursor of another type; one that leads back is an error")
    func otherCursor() async {
        let list = PageLoader(
            .cursor(next: { ($0.last?.id ?? 0) % 3 }, { (cursor: Int?) in [Row(id: (cursor ?? 0) + 1)] }))
        while list.hasMore, list.error == nil { await list.loadMore() }
        #expect(list.items.map(\.id) == [1, 2, 3])
        #expect(list.error?.shortDescription == "invalid_response")
    }

    @Test("P2 pages by number and by offset come from any closure")
    func numbersAndOffsets() async {
        let numbers = PageLoader(.numbers { number in number < 3 ? [Row(id: number)] : [] })
        while numbers.hasMore { await numbers.loadMore() }
        #expect(numbers.items.map(\.id) == [1, 2])
        let offsets = PageLoader(.offsets(limit: 2) { offset in (offset..<min(offset + 2, 5)).map { Row(id: $0) } })
        while offsets.hasMore { await offsets.loadMore() }
        #expect(offsets.items.map(\.id) == [0, 1, 2, 3, 4])
    }

    @Test("P2 a closure that fails keeps the place, and a refresh starts over")
    func failure() async {
        let list = PageLoader(
            .numbers { [asked] number in
                let count = asked.update { asked in
                    asked.append("\(number)")
                    return asked.count
                }
                if count == 2 { throw Mishap() }
                return [Row(id: number * 10 + count)]
            })
        await list.loadMore()
        await list.loadMore()
        #expect(list.error?.underlying is Mishap)
        await list.retry()
        #expect(list.items.map(\.id) == [11, 23])
        await list.refresh()
        #expect(list.items.map(\.id) == [14])
        #expect(asked.value == ["1", "2", "2", "1"])
    }
}
