import Godwit

enum Samples {
    /// Bytes of every value, in an order in which a lost, doubled or moved piece shows.
    static func data(_ count: Int) -> Data {
        var block = Data(capacity: 65_521)
        var state: UInt32 = 2_463_534_242
        for _ in 0..<65_521 {
            state ^= state << 13
            state ^= state >> 17
            state ^= state << 5
            block.append(UInt8(truncatingIfNeeded: state >> 8))
        }
        var data = Data(capacity: count)
        while data.count < count { data.append(block.prefix(count - data.count)) }
        return data
    }

    /// Data in chunks of this size.
    static func chunks(_ data: Data, of size: Int) -> [Data] {
        stride(from: data.startIndex, to: data.endIndex, by: size).map {
            Data(data[$0..<min($0 + size, data.endIndex)])
        }
    }
}
