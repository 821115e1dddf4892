package import GodwitCore
import GodwitTesting

/// The calls of all programs, bounded in number and bytes: the oldest are dropped. And the values of their query stores.
package final class CallStore: Sendable {
    private struct Key: Hashable {
        let program: String
        let call: UInt64
    }

    private struct Record {
        /// The first events tell how a call began: they are kept when later ones are dropped.
        private static let firstEvents = 4
        /// What an event and a call cost in addition to their texts, approximately.
        private static let overhead = 100

        var summary: CallSummary
        /// The summary as JSON, which a page that opens gets of every call.
        private(set) var json = Data()
        private(set) var events: [Data] = []
        private var eventBytes = 0

        init(summary: CallSummary) { self.summary = summary }

        /// The memory that the call takes, approximately.
        var bytes: Int { eventBytes + 2 * json.count + 10 * Self.overhead }

        /// Adds an event, and drops older ones if the call takes more than its limit.
        mutating func add(_ line: Data, limit: Int) {
            events.append(line)
            eventBytes += line.count + Self.overhead
            if eventBytes > limit { dropEvents(downTo: limit / 2) }
        }

        mutating func write(_ encoder: JSONModelEncoder) {
            json = (try? encoder.encode(summary)) ?? Data("{}".utf8)
        }

        private mutating func dropEvents(downTo limit: Int) {
            var end = min(Self.firstEvents, events.count)
            // A few large ones at the beginning may be all.
            if events[..<end].reduce(0, { $0 + $1.count }) > limit { end = 0 }
            let start = end
            while end < events.count, eventBytes > limit {
                eventBytes -= events[end].count + Self.overhead
                end += 1
            }
            events.removeSubrange(start..<end)
            summary.droppedEvents += end - start
        }
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
        self.callLimit = max(1, callLimit)
        self.byteLimit = byteLimit
        state = Watched(State())
    }

    package var count: Int { state.value.records.count }

    /// The memory that the calls take, approximately.
    package var bytes: Int { state.value.bytes }

    /// Adds lines of events. Lines that can't be read are skipped.
    ///
    /// - Returns: The number of events taken.
    @discardableResult
    package func add(_ lines: Data, from program: String, dropped: Int) -> Int {
        let decoder = JSONModelDecoder()
        let encoder = JSONModelEncoder()
        var count = 0
        state.update { state in
            state.dropped += max(0, min(dropped, 1 << 40))
            var changed: Set<UInt64> = []
            for line in lines.split(separator: 0x0A) {
                guard let event = try? decoder.decode(TrafficEvent.self, from: line) else { continue }
                count += 1
                if let values = event.values {
                    state.revision += 1
                    state.stores.take(values, program, state.revision, size: line.count)
                } else {
                    changed.insert(take(event, Data(line), program, &state))
                }
            }
            for number in changed { Self.change(number, &state) { $0.write(encoder) } }
            while state.records.count > callLimit || (state.bytes > byteLimit && !state.records.isEmpty) {
                Self.removeFirst(&state)
            }
            // The list of changes is rebuilt when most of it is superseded.
            if state.changes.count > 4 * (state.records.count + 1000) { Self.compact(&state) }
        }
        return count
    }

    /// Returns the number of the event's call.
    private func take(_ event: TrafficEvent, _ line: Data, _ program: String, _ state: inout State) -> UInt64 {
        let key = Key(program: program, call: event.call)
        let number = state.numbers[key] ?? state.next
        if number == state.next {
            state.next += 1
            state.numbers[key] = number
            let record = Record(
                summary: CallSummary(number: number, program: program, call: event.call, start: event.time))
            state.records[number] = record
            state.bytes += record.bytes
        }
        state.revision += 1
        let revision = state.revision
        Self.change(number, &state) { record in
            // One call leaves room for others.
            record.add(line, limit: byteLimit / 8)
            record.summary.take(event)
            record.summary.revision = revision
        }
        state.changes.append((revision, number))
        return number
    }

    private static func change(_ number: UInt64, _ state: inout State, _ change: (inout Record) -> Void) {
        guard var record = state.records.removeValue(forKey: number) else { return }
        state.bytes -= record.bytes
        change(&record)
        state.bytes += record.bytes
        state.records[number] = record
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
            state.records = [:]
            state.numbers = [:]
            state.changes = []
            state.bytes = 0
            state.dropped = 0
            state.first = state.next
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
