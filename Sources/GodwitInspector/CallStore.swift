package import GodwitCore
import GodwitTesting

/// The calls of all programs, bounded in number and bytes: the oldest are dropped. And the values of their query stores.
package final class CallStore: Sendable {
    private struct Key: Hashable {
        let program: String
        let call: UInt64
    }

    private struct Record {
        var summary: CallSummary
        /// The summary as JSON, which a page that opens gets of every call.
        var json = Data()
        var events: [Data] = []
        var bytes = 0
    }

    /// The calls that changed, in the order of the page.
    package struct Changes: Sendable {
        /// The revision up to which the page is now current.
        package var revision: UInt64
        /// The first call that is still kept; the page drops those before it.
        package var first: UInt64
        /// Events that programs dropped because the page was slow.
        package var dropped: Int
        package var calls: [CallSummary]
        /// The query stores whose values changed.
        package var stores: [StoreSummary]
        fileprivate var texts: [Data]

        /// The object that the page reads.
        package var json: Data {
            var json = Data("{\"revision\":\(revision),\"first\":\(first),\"dropped\":\(dropped),\"calls\":[".utf8)
            json.reserveCapacity(texts.reduce(100) { $0 + $1.count + 1 })
            for (index, text) in texts.enumerated() {
                if index > 0 { json.append(0x2C) }
                json.append(text)
            }
            json.append(Data("],\"stores\":".utf8))
            json.append((try? JSONModelEncoder().encode(stores)) ?? Data("[]".utf8))
            json.append(Data("}".utf8))
            return json
        }
    }

    private struct State {
        var records: [UInt64: Record] = [:]
        var numbers: [Key: UInt64] = [:]
        var first: UInt64 = 1
        var next: UInt64 = 1
        var bytes = 0
        var dropped = 0
        var revision: UInt64 = 0
        /// The numbers of changed calls by revision; entries are superseded, not removed.
        var changes: [(revision: UInt64, number: UInt64)] = []
        var stores = StoreList()
    }

    private let callLimit: Int
    private let byteLimit: Int
    private let state: Watched<State>

    /// - Parameters:
    ///   - callLimit: Maximum calls.
    ///   - byteLimit: Maximum bytes of their events.
    package init(callLimit: Int = 10_000, byteLimit: Int = 128 << 20) {
        (self.callLimit, self.byteLimit) = (max(1, callLimit), byteLimit)
        state = Watched(State())
    }

    package var count: Int { state.value.records.count }

    /// Adds lines of events. Lines that can't be read are skipped.
    ///
    /// - Returns: The number of events taken.
    @discardableResult
    package func add(_ lines: Data, from program: String, dropped: Int) -> Int {
        let decoder = JSONModelDecoder()
        let events = lines.split(separator: 0x0A).compactMap { line -> (TrafficEvent, Data)? in
            guard let event = try? decoder.decode(TrafficEvent.self, from: Data(line)) else { return nil }
            return (event, Data(line))
        }
        let (callLimit, byteLimit) = (callLimit, byteLimit)
        state.update { state in
            state.dropped += max(0, min(dropped, 1 << 40))
            for (event, _) in events {
                guard let values = event.values else { continue }
                state.revision += 1
                state.stores.take(values, program, state.revision)
            }
            let calls = events.filter { $0.0.values == nil }
            let changed = Set(calls.map { event, line in Self.take(event, line, program, &state) })
            let encoder = JSONModelEncoder()
            for number in changed {
                guard let summary = state.records[number]?.summary else { continue }
                state.records[number]?.json = (try? encoder.encode(summary)) ?? Data("{}".utf8)
            }
            while state.records.count > callLimit || (state.bytes > byteLimit && state.records.count > 1) {
                Self.removeFirst(&state)
            }
            // The list of changes is rebuilt when most of it is superseded.
            if state.changes.count > 4 * (state.records.count + 1000) { Self.compact(&state) }
        }
        return events.count
    }

    /// Returns the number of the event's call.
    private static func take(
        _ event: TrafficEvent, _ line: Data, _ program: String, _ state: inout State
    ) -> UInt64 {
        let key = Key(program: program, call: event.call)
        let number = state.numbers[key] ?? state.next
        if number == state.next {
            state.next += 1
            state.numbers[key] = number
            state.records[number] = Record(
                summary: CallSummary(number: number, program: program, call: event.call, start: event.time))
        }
        state.revision += 1
        state.bytes += line.count
        state.records[number]?.events.append(line)
        state.records[number]?.bytes += line.count
        state.records[number]?.summary.take(event)
        state.records[number]?.summary.revision = state.revision
        state.changes.append((state.revision, number))
        return number
    }

    private static func removeFirst(_ state: inout State) {
        if let record = state.records.removeValue(forKey: state.first) {
            state.bytes -= record.bytes
            state.numbers[Key(program: record.summary.program, call: record.summary.call)] = nil
        }
        state.first += 1
    }

    private static func compact(_ state: inout State) {
        state.changes = state.records.values.map { ($0.summary.revision, $0.summary.number) }.sorted { $0.0 < $1.0 }
    }

    /// Removes all calls.
    package func removeAll() {
        state.update { state in
            (state.records, state.numbers, state.changes) = ([:], [:], [])
            (state.bytes, state.dropped, state.first) = (0, 0, state.next)
            state.revision += 1
            state.stores.removeAll(state.revision)
        }
    }

    /// Waits for a change after a revision, and returns every call that changed since.
    package func changes(after revision: UInt64) async throws(CancellationError) -> Changes {
        try await state.wait { $0.revision > revision }
        return current(after: revision)
    }

    /// Every call that changed after a revision.
    package func current(after revision: UInt64) -> Changes {
        state.update { state in
            let start = state.changes.partitioningIndex { $0.revision > revision }
            var seen: Set<UInt64> = []
            let numbers = state.changes[start...].compactMap { seen.insert($0.number).inserted ? $0.number : nil }
            let records = numbers.sorted().compactMap { state.records[$0] }
            return Changes(
                revision: state.revision, first: state.first, dropped: state.dropped,
                calls: records.map(\.summary), stores: state.stores.current(after: revision),
                texts: records.map(\.json))
        }
    }

    /// The summary and the events of a call as JSON; `nil` if it isn't kept any more.
    package func details(of number: UInt64) -> Data? {
        guard let record = state.update({ $0.records[number] }),
            let summary = try? JSONModelEncoder().encode(record.summary)
        else { return nil }
        var json = Data("{\"summary\":".utf8)
        json.append(summary)
        json.append(Data(",\"events\":[".utf8))
        for (index, event) in record.events.enumerated() {
            if index > 0 { json.append(0x2C) }
            json.append(event)
        }
        json.append(Data("]}".utf8))
        return json
    }
}

extension Array {
    /// The index of the first element that meets a condition which holds for all elements after it.
    fileprivate func partitioningIndex(where isAfter: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
