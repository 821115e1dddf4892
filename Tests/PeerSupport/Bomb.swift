package import Godwit
import Testing

/// Compressed bodies that expand to 3 GiB of zeros.
package struct Bomb: Sendable, CustomTestStringConvertible {
    package let coding: String
    package let body: Data

    package var testDescription: String { "\(coding), \(body.count) bytes" }

    package static let size: Int64 = 3 << 30

    package static let all = [brotli, brotliWithLargeWindow, zstd, gzip, nested]

    package static let brotli = brotli(times8MiB: 384)

    /// By `brotli -q 11 -w 22`: a window of 4 MiB. With another number, so many times 8 MiB.
    package static func brotli(times8MiB count: Int) -> Bomb {
        Bomb(
            coding: "br",
            body: brotli(
                "y///P/gnAOKxQCD3/o///3/wTwDEYRGA7v0f////4J8AiMMC", repeatsFrom: 181, bits: 40_324 - (384 - count) * 105
            )
        )
    }

    /// By `brotli -q 11 -w 24`: a window of 16 MiB, the largest.
    package static let brotliWithLargeWindow = Bomb(
        coding: "br",
        body: brotli(
            "z///f/gnAOKxQCD3/p/////wTwDEYQGA7v0/////4Z8AiMMiAN37f/7//8M/ARCHBQ==", repeatsFrom: 286, bits: 20_164))

    /// A frame with a window of 8 MiB, the largest that is accepted. Each block repeats one byte 128 Ki times (RFC 8878 section
    /// 3.1.1).
    package static let zstd = Bomb(
        coding: "zstd",
        body: Data([0x28, 0xB5, 0x2F, 0xFD, 0, 0x68]) + repeated([0x02, 0, 0x10, 0], Int(size >> 17)) + [0x01, 0, 0])

    /// One block with fixed codes (RFC 1951 section 3.2.6), without its end: a zero, then "258 more of the last byte".
    package static let gzip = Bomb(
        coding: "gzip",
        body: Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF, 0x63])
            + repeated(
                [0x18, 0x05, 0xA3, 0x60, 0x14, 0x8C, 0x82, 0x51, 0x30, 0x0A, 0x46, 0xC1, 0x28], Int(size) / 2064))

    /// By `gzip -9`, three times.
    package static let nested = Bomb(
        coding: "gzip, gzip, gzip",
        body: Data(
            base64Encoded: """
                H4sIAAAAAAACA5Pv5mAAASbmt3cV+ZjuVh1/mP+uZ0fmZEaWLJebroaTDTKdtARD/CMYshMmcb6a9W6JafLsaxuZM0S5M7QENC5drj7H9Or+k8
                orF+3/nq/8/06//p/y7+C/9/8HhtbX+vz/s///J/v6f7PtGSCg4cGy/3Ne27D9SJ4+7/hle0ao8MXYsNxgN8b9G6WfwBR+ePe3LraO48eddb0y
                UDGBe99+203RPaCsO3uzHFwse93qPaw3lj7/qMIOFWspj9zqe4/JB8O4PpaavOtufFAxjvzftfKnxB5MnHY2kh8m9t70eug9pjeXPldMYoaKHd
                q95pZaPuOy+zd4i6BCDhXf6/bruTPZbc9Whtu6/e8+/lTuDx6nn62Bi32f9Vorn7HsZaXNSZhfHwL9Onk7w+X8N2yWUCGFPdX746crM86/vXUi
                3NbbdffbN7FWLEktvgYXqz5bOnU7w+4vNvMQHtNbve1kdMNL87JmRDjtvb/+9MSG829vnYDbmrv/vfNNJptLmyxfw8X2Ptt1KrohtkrOH+Gx6a
                G3n+ge+CK92xEeTu/vvb/+1OPA87JchK3b7n9fmMMol3lzzle4WFxx7FPdA3q2/eoIj51elftJLOFX710FROy8//66SOVB8W4zhK233/8O2MbQ
                vyXnXBVcbP3OdUCtwHQyGeGx1KtmldwGf4/lTUDEzvffpZZCH3bGSiNsffu9ViO6wT3KLN0WLnY9JrySe4P3+ceeCI9typq9h3VGXbI5Ipzu/v
                67S4ZzNNmNJrvRZDea7EaT3WiyG012o8luNNmNJrvRZDea7EaT3WiyG012o8luNNmNJrvRZDea7EaT3WiyG012o8luNNmNJju6Jrv/pv8Pzwdq
                9ki+Hl7/4f+P6/b//t3/903+/68f3/8zf5e/8bRmsz4DACHLKv3eHQAA
                """, options: .ignoreUnknownCharacters) ?? Data())

    /// The first bits are given, the last 105 of them repeat, and an empty block ends it.
    private static func brotli(_ start: String, repeatsFrom period: Int, bits count: Int) -> Data {
        let bytes = Data(base64Encoded: start) ?? Data()
        var bits = (0..<(period + 105)).map { bytes[$0 / 8] >> UInt8($0 % 8) & 1 }
        while bits.count < count { bits.append(bits[bits.count - 105]) }
        bits += [1, 1, 0, 0]
        return Data(
            stride(from: 0, to: bits.count, by: 8).map { start in
                (0..<8).reduce(0) { $0 | bits[start + $1] << UInt8($1) }
            })
    }

    private static func repeated(_ pattern: [UInt8], _ count: Int) -> Data {
        var data = Data(pattern)
        while data.count < pattern.count * count { data += data.prefix(pattern.count * count - data.count) }
        return data
    }
}
