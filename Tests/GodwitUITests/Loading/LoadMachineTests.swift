import GodwitUI
import Testing

@Suite("V5 the rules of loading")
@MainActor
struct LoadMachineTests {
    /// A line of the table.
    struct Row: Sendable, CustomTestStringConvertible {
        let event: String
        let shapes: [LoadMachine.Shape]
        let states: [String]
        let result: String

        var testDescription: String { "\(event), in \(states.joined(separator: " "))" }
    }

    private static let both: [LoadMachine.Shape] = [.value, .pages]

    nonisolated private static let rows: [Row] = {
        var rows: [Row] = []
        var events: [String] = []
        for line in lines {
            guard line.hasPrefix("  ") else {
                events = line.split(separator: "|").map(\.trimmed)
                continue
            }
            let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmed }
            var states = parts[0].split(separator: " ").map(String.init)
            let shapes: [LoadMachine.Shape] =
                switch states[0] {
                case "value": [.value]
                case "pages": [.pages]
                default: [.value, .pages]
                }
            if shapes.count == 1 { states.removeFirst() }
            rows += events.map { Row(event: $0, shapes: shapes, states: states, result: parts[1]) }
        }
        return rows
    }()

    /// The lines of the table, with those that continue them.
    nonisolated private static var lines: [String] {
        loadMachineTable.split(separator: "\n").reduce(into: []) { lines, line in
            if line.hasPrefix("    ") {
                lines[lines.count - 1] += " \(line.trimmed)"
            } else {
                lines.append(String(line))
            }
        }
    }

    @Test("V5 each event leads from each state to the state and the effects of the table", arguments: rows)
    func row(_ row: Row) throws {
        guard row.result != "impossible" else { return }
        let event = try #require(LoadMachineStates.events.first { $0.name == row.event }).event
        for shape in row.shapes {
            for state in row.states {
                // A state of the other shape.
                guard var machine = LoadMachineStates.machine(shape, in: state) else { continue }
                let before = "\(machine)"
                let effects = machine.receive(event).map(\.description).joined(separator: "; ")
                let after = effects.isEmpty ? "\(machine)" : "\(machine) -> \(effects)"
                #expect(after == (row.result == "unchanged" ? before : row.result), "\(shape), \(state)")
            }
        }
    }

    @Test("V5 the table has each event in each state once, or says that it is impossible")
    func complete() {
        for shape in Self.both {
            for (event, _) in LoadMachineStates.events {
                let rows = Self.rows.filter { $0.event == event && $0.shapes.contains { $0 == shape } }
                let stated = rows.flatMap(\.states)
                for (state, _, _) in LoadMachineStates.states(shape) {
                    let count = stated.count { $0 == state }
                    #expect(count == 1, "\(event), \(shape), \(state)")
                }
            }
        }
        let events = Set(LoadMachineStates.events.map(\.name))
        let states = Set(Self.both.flatMap { LoadMachineStates.states($0).map(\.name) })
        #expect(Set(Self.rows.map(\.event)) == events && Set(Self.rows.flatMap(\.states)) == states)
    }

    @Test("V5 what never happens changes nothing, as in a late result")
    func impossible() throws {
        for row in Self.rows where row.result == "impossible" && ["arrived", "kept", "read"].contains(row.event) {
            let event = try #require(LoadMachineStates.events.first { $0.name == row.event }).event
            for shape in row.shapes {
                for state in row.states where !state.hasPrefix("arrived") && !state.hasPrefix("page-arrived") {
                    guard var machine = LoadMachineStates.machine(shape, in: state), machine.attempt == nil else {
                        continue
                    }
                    let before = "\(machine)"
                    let effects = machine.receive(event)
                    #expect(effects.isEmpty && "\(machine)" == before, "\(row.event), \(shape), \(state)")
                }
            }
        }
    }
}

extension StringProtocol {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
