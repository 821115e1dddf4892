import Glibc
import Godwit
import TestSupport

/// Gives inputs to one target, and ends the process at the first that takes too long or too much.
///
/// The input is in a file before the parser sees it, so that it is known after a trap too.
final class FuzzRun {
    enum Limit {
        case seconds(Double)
        case rounds(Int)
    }

    private let target: FuzzTarget
    private let inputFile: Int32
    /// The most processor time of one input, in milliseconds.
    private(set) var longestTime = 0
    /// The most memory that one input added, in bytes.
    private(set) var largestGrowth = 0

    init(_ target: FuzzTarget, inputFile: String?) throws {
        self.target = target
        self.inputFile = inputFile.map { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) } ?? -1
    }

    /// Returns the number of inputs.
    func fuzz(seeds folder: String, seed: UInt64, limit: Limit) async throws -> Int {
        let place = "\(folder)/\(target.name)"
        let names = try FileManager.default.contentsOfDirectory(atPath: place).sorted()
        let seeds = try names.map { try Data(contentsOf: URL(filePath: "\(place)/\($0)")) }
        let mutator = FuzzMutator(seeds: seeds, words: target.words.map { Data($0.utf8) }, longest: target.longest)
        var random = SplitMix(seed: seed)
        // The first inputs also load libraries and fill caches.
        for data in seeds { await measured(data, random.next(), isFirst: true) }
        let start = ContinuousClock.now
        var count = 0
        while limit.allows(count, after: ContinuousClock.now - start) {
            await measured(mutator.input(&random), random.next(), isFirst: count < 20)
            count += 1
        }
        return count
    }

    func read(_ data: Data, seed: UInt64) async throws { await measured(data, seed, isFirst: true) }

    private func measured(_ data: Data, _ seed: UInt64, isFirst: Bool) async {
        note(data)
        var random = SplitMix(seed: seed)
        let (memory, time) = (Self.peakMemory(), Self.processorTime())
        // A parser that never returns is ended by a signal.
        alarm(UInt32(target.seconds * 20))
        try? await target.read(data, &random)
        alarm(0)
        let (growth, taken) = (Self.peakMemory() - memory, Self.processorTime() - time)
        if !isFirst { (longestTime, largestGrowth) = (max(longestTime, Int(taken * 1000)), max(largestGrowth, growth)) }
        guard taken <= target.seconds else { fail("\(target.name): \(taken) s for \(data.count) bytes") }
        guard isFirst || growth <= target.memory else {
            fail("\(target.name): \(growth) bytes of memory for \(data.count) bytes")
        }
    }

    private func note(_ data: Data) {
        guard inputFile >= 0 else { return }
        ftruncate(inputFile, off_t(data.count))
        _ = data.withUnsafeBytes { pwrite(inputFile, $0.baseAddress, $0.count, 0) }
    }

    /// The most memory that the process has had, in bytes.
    private static func peakMemory() -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss << 10
    }

    private static func processorTime() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
}

/// Ends the process.
func fail(_ message: String) -> Never {
    let line = Array("Fuzzer: \(message)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
    exit(1)
}

extension FuzzRun.Limit {
    fileprivate func allows(_ count: Int, after time: Duration) -> Bool {
        switch self {
        case .seconds(let limit): time < .seconds(limit)
        case .rounds(let limit): count < limit
        }
    }
}
