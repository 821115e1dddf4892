import GodwitSupport
import Testing

@Suite("A lock around what is mostly empty")
struct SparseMutexTests {
    private struct Names: SparseContents {
        var all: [String] = []
        var isEmpty: Bool { all.isEmpty }
    }

    private struct Stop: Error {}

    @Test("It knows whether the value is empty, after each change and after one that throws")
    func changes() {
        let names = SparseMutex(Names())
        #expect(names.isEmpty)
        names.withLock { $0.all.append("a") }
        #expect(!names.isEmpty)
        let count = names.withLock { $0.all.count }
        #expect(count == 1 && !names.isEmpty)
        names.withLock { $0.all = [] }
        #expect(names.isEmpty)
        #expect(throws: Stop.self) {
            try names.withLock { names throws(Stop) in
                names.all.append("b")
                throw Stop()
            }
        }
        #expect(!names.isEmpty)
        #expect(!SparseMutex(Names(all: ["a"])).isEmpty)
    }

    @Test("What one task has added, all others see")
    func tasks() async {
        let names = SparseMutex(Names())
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    names.withLock { $0.all.append("\(number)") }
                    #expect(!names.isEmpty)
                }
            }
        }
        let count = names.withLock { $0.all.count }
        #expect(count == 100)
    }
}
