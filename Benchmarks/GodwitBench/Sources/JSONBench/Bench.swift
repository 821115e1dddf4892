import BenchKit
import FoundationEssentials
import GodwitJSON

/// One measurement of one coder with one document.
struct Bench {
    enum Mode: String {
        case decode, encode, memory, parse
        case encodeUnsorted = "encode-unsorted"
    }

    let mode: Mode
    let document: BenchDocument
    let coder: any BenchCoder
    let time: Duration

    /// Foundation's, to compare results with.
    private var reference: FoundationCoder {
        FoundationCoder(sortsKeys: true, convertsSnakeCase: document.convertsSnakeCase)
    }

    /// Measures, reports, and then verifies: what is compared is made only after the peak memory has been read.
    func run<Model: BenchDocument.Model>(_ model: Model.Type) throws {
        switch mode {
        case .decode:
            try measure {
                _ = try coder.decode(model, from: document.data)
                return document.data.count
            }
            try verify(coder.decode(model, from: document.data))
        case .parse:
            try measure {
                _ = try JSONDocument(parsing: document.data)
                return document.data.count
            }
        case .memory:
            try verify(measureGrowth { try coder.decode(model, from: document.data) })
        case .encode, .encodeUnsorted:
            let value = try reference.decode(model, from: document.data)
            try measure { try coder.encode(value).count }
            try verify(reference.decode(model, from: coder.encode(value)))
        }
    }

    private func verify<Model: BenchDocument.Model>(_ value: Model) throws {
        guard try value == reference.decode(Model.self, from: document.data) else {
            throw Difference()
        }
    }

    /// Repeats work, which returns its number of bytes, until the time is over, after a tenth of it unmeasured; at
    /// least once each.
    private func measure(_ work: () throws -> Int) throws {
        _ = try repeating(work, for: time / 10)
        let start = Measurement()
        let totals = try repeating(work, for: time)
        start.report(mode.rawValue, totals)
    }

    private func repeating(_ work: () throws -> Int, for time: Duration) throws -> Totals {
        var totals = Totals()
        let end = ContinuousClock.now + time
        repeat {
            totals.add(.success(try work()))
        } while ContinuousClock.now < end
        return totals
    }

    /// Decodes a small document first: what every decoder loads but once isn't the document's.
    private func measureGrowth<Model>(_ work: () throws -> Model) throws -> Model {
        _ = try coder.decode([String: Int].self, from: Data("{\"a\":1}".utf8))
        ProcessStatus.resetPeak()
        let before = ProcessStatus.value(of: "VmRSS")
        let start = Measurement()
        let value = try work()
        var totals = Totals()
        totals.add(.success(document.data.count))
        start.report("memory", totals, extras: [("growth_kb", ProcessStatus.value(of: "VmHWM") - before)])
        return value
    }
}

/// A value that isn't the one that Foundation decodes.
struct Difference: Error, CustomStringConvertible {
    var description: String { "the value differs from Foundation's" }
}
