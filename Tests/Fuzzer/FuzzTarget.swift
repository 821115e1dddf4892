import Godwit
import TestSupport

/// A parser that reads what the network, a file or another process sends.
struct FuzzTarget: Sendable {
    /// As its folder of seeds.
    let name: String
    /// The most processor time of one input, in seconds. Debug builds on busy machines are slow: only what grows with the square of
    /// its input, or never ends, takes that long.
    var seconds = 2.0
    /// The most memory that one input may add to the process, in bytes.
    var memory = 64 << 20
    /// The longest input, in bytes.
    var longest = 16 << 10
    /// Texts that mean something to the parser.
    var words: [String] = []
    /// Reads an input. An error is an answer like any other; a trap, or a limit exceeded, is not.
    let read: @Sendable (Data, inout SplitMix) async throws -> Void
}

extension FuzzTarget {
    /// A target that reads text.
    static func text(
        _ name: String, words: [String] = [], _ read: @escaping @Sendable (String) async throws -> Void
    ) -> FuzzTarget {
        FuzzTarget(name: name, words: words) { data, _ in try await read(String(decoding: data, as: UTF8.self)) }
    }

    /// A target that reads bytes.
    static func bytes(
        _ name: String, words: [String] = [], _ read: @escaping @Sendable (Data) async throws -> Void
    ) -> FuzzTarget {
        FuzzTarget(name: name, words: words) { data, _ in try await read(data) }
    }

    /// A target whose parser takes a text in chunks.
    static func chunks(
        _ name: String, words: [String] = [], _ read: @escaping @Sendable ([Data]) async throws -> Void
    ) -> FuzzTarget {
        FuzzTarget(name: name, words: words) { data, random in try await read(random.chunks(of: data)) }
    }
}

extension SplitMix {
    /// The bytes in up to eight pieces, or one by one.
    mutating func chunks(of data: Data) -> [Data] {
        if below(8) == 0, data.count <= 1000 { return data.map { Data([$0]) } }
        var ends = (0..<below(8)).map { _ in below(data.count + 1) }.sorted()
        ends.append(data.count)
        var start = 0
        return ends.map { end in
            defer { start = end }
            return Data(data.dropFirst(start).prefix(end - start))
        }
    }
}

/// Changes seeds into inputs.
struct FuzzMutator {
    let seeds: [Data]
    let words: [Data]
    let longest: Int

    private static let bytes: [UInt8] = [
        0, 1, 0x0A, 0x0D, 0x20, 0x22, 0x27, 0x2C, 0x3B, 0x3D, 0x5C, 0x7F, 0x80, 0xC2, 0xE2, 0xF0, 0xFF,
    ]
    private static let numbers = [
        "0", "-1", "1e999", "-1e-999", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
        "18446744073709551616",
        "2147483648", "65536", "0.1", "NaN", "00", "1e400", "99999999999999999999999999999999999999",
    ]

    func input(_ random: inout SplitMix) -> Data {
        var data = seeds.isEmpty ? Data() : seeds[random.below(seeds.count)]
        for _ in 0...random.below(6) { data = changed(data, &random) }
        return Data(data.prefix(longest))
    }

    private func changed(_ data: Data, _ random: inout SplitMix) -> Data {
        let place = random.below(data.count + 1)
        let length = random.below(min(data.count - place, 64) + 1)
        let (before, part, after) = (
            data.prefix(place), data.dropFirst(place).prefix(length), data.dropFirst(place + length)
        )
        switch random.below(11) {
        case 0: return before + after
        case 1: return before + part + part + after
        case 2: return before + repeated(part, &random) + after
        case 3: return before + [Self.bytes[random.below(Self.bytes.count)]] + after
        case 4: return before + [UInt8.random(in: 0 ... .max, using: &random)] + part + after
        case 5: return before + Data(Self.numbers[random.below(Self.numbers.count)].utf8) + after
        case 6 where !words.isEmpty: return before + words[random.below(words.count)] + part + after
        case 7 where !seeds.isEmpty:
            let other = seeds[random.below(seeds.count)]
            return before + other.dropFirst(random.below(other.count + 1))
        case 8: return before + part.reversed() + after
        case 9: return Data(before)
        default: return flipped(data, &random)
        }
    }

    private func repeated(_ part: Data, _ random: inout SplitMix) -> Data {
        let piece = part.isEmpty ? Data("(".utf8) : part
        let count = min(1 << random.below(14), longest / piece.count)
        return (0..<count).reduce(into: Data()) { data, _ in data += piece }
    }

    private func flipped(_ data: Data, _ random: inout SplitMix) -> Data {
        guard !data.isEmpty else { return data }
        var bytes = Array(data)
        for _ in 0...random.below(4) { bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8)) }
        return Data(bytes)
    }
}
