import Foundation
import GodwitUI
import Testing

@Suite("V4 the header of an image file")
struct ImageHeaderTests {
    @Test("V4 PNG: size, interlacing and animation come from the chunks before the pixels")
    func png() throws {
        let still = try #require(ImageHeader(SampleImage.png(width: 300, height: 200)))
        #expect(still.format == .png && still.width == 300 && still.height == 200)
        #expect(!still.isAnimated && !still.isProgressive)
        let other = try #require(ImageHeader(SampleImage.png(width: 1, height: 2, interlaced: true, animated: true)))
        #expect(other.isAnimated && other.isProgressive)
    }

    @Test("V4 JPEG: size and kind come from the frame header, after metadata of any length")
    func jpeg() throws {
        let plain = try #require(ImageHeader(SampleImage.jpeg(width: 6000, height: 4000)))
        #expect(plain.format == .jpeg && plain.width == 6000 && plain.height == 4000)
        #expect(!plain.isProgressive && !plain.isAnimated)
        let other = try #require(
            ImageHeader(SampleImage.jpeg(width: 10, height: 20, progressive: true, metadata: 65_000)))
        #expect(other.isProgressive && other.width == 10)
    }

    @Test("V4 GIF: two frames make an animation, and the largest frame counts", arguments: [1, 2, 50])
    func gif(frames: Int) throws {
        let header = try #require(ImageHeader(SampleImage.gif(width: 7, height: 5, frames: frames)))
        #expect(header.format == .gif && header.width == 7 && header.height == 9)
        #expect(header.isAnimated == (frames > 1))
        #expect(header.isProgressive)
    }

    @Test("V4 WebP: the lossy, lossless and extended headers")
    func webP() throws {
        let lossy: [UInt8] = [0, 0, 0, 0x9D, 0x01, 0x2A, 0x40, 0x01, 0xF0, 0x00]
        let lossless: [UInt8] = [0x2F, 0x3F, 0xC1, 0x3B, 0x00, 0, 0, 0, 0, 0]
        let extended: [UInt8] = [0x02, 0, 0, 0, 0x3F, 0x01, 0, 0xEF, 0, 0]
        for (name, content) in [("VP8 ", lossy), ("VP8L", lossless), ("VP8X", extended)] {
            let header = try #require(ImageHeader(SampleImage.webP(name, content)), "\(name)")
            #expect(header.format == .webP && header.width == 320 && header.height == 240, "\(name)")
            #expect(header.isAnimated == (name == "VP8X"))
        }
    }

    @Test(
        "V4 HEIC and AVIF: the brands say what it is, and the largest image counts",
        arguments: [
            ("heic", ["mif1", "heic"], false), ("mif1", ["heix"], false), ("hevc", ["msf1", "mif1"], true),
            ("mif1", ["heic", "hevs"], true), ("msf1", [], true),
        ])
    func heic(major: String, compatible: [String], isAnimated: Bool) throws {
        let header = try #require(
            ImageHeader(SampleImage.heif(major, compatible, [(512, 512), (4032, 3024), (320, 240)])))
        #expect(header.format == .heif && header.width == 4032 && header.height == 3024)
        #expect(header.isAnimated == isAnimated && !header.isProgressive)
    }

    @Test("V4 AVIF: a sequence without a still has the size of its track", arguments: [0, 1])
    func avif(version: Int) throws {
        let still = try #require(ImageHeader(SampleImage.heif("avif", ["mif1", "miaf"], [(640, 480)])))
        #expect(still.format == .avif && !still.isAnimated && still.width == 640)
        let sequence = try #require(ImageHeader(SampleImage.sequence("avis", ["msf1"], 640, 480, version: version)))
        #expect(sequence.format == .avif && sequence.isAnimated && sequence.width == 640 && sequence.height == 480)
        let other = try #require(ImageHeader(SampleImage.sequence("mif1", ["avif", "avis"], 9, 8, version: version)))
        #expect(other.format == .avif && other.isAnimated)
    }

    @Test("V4 a video, sizes of boxes that aren't possible, and a box that is cut have no header")
    func boxes() {
        let file = SampleImage.heif("heic", ["mif1"], [(30, 20)])
        var large = file
        // The size of `meta` follows in 8 bytes, which claim exabytes.
        large.replaceSubrange(20..<24, with: [0, 0, 0, 1])
        large.replaceSubrange(28..<36, with: [UInt8](repeating: 0x7F, count: 8))
        let files = [
            SampleImage.sequence("isom", ["mp42"], 640, 480), SampleImage.heif("heic", [], []),
            SampleImage.heif("heic", ["mif1"], [(0, 20)]), file.dropLast(9), large, Data(file.prefix(12)),
        ]
        for file in files { #expect(ImageHeader(file) == nil) }
    }

    @Test("V4 a size of zero, another format and no bytes have no header")
    func none() {
        let files = [
            Data(), Data([0xFF]), Data("<svg/>".utf8), SampleImage.png(width: 0, height: 5),
            SampleImage.jpeg(width: 5, height: 0), Data([0xFF, 0xD8, 0xFF, 0xD9]), Data([0xFF, 0xD8, 0xFF, 0xDA]),
            Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 0, 0xFF, 0xC0]), SampleImage.webP("VP8X", []),
            SampleImage.webP("ALPH", []),
        ]
        for file in files { #expect(ImageHeader(file) == nil) }
    }

    @Test("V4 every prefix and thousands of damaged files are read without a trap", arguments: SampleImage.all)
    func damaged(_ file: Data) throws {
        let whole = try #require(ImageHeader(file))
        for count in 0..<file.count {
            guard let header = ImageHeader(file.prefix(count)) else { continue }
            #expect(header.width == whole.width && header.format == whole.format)
        }
        // A slice whose indices don't start at 0.
        #expect(ImageHeader((Data([1, 2, 3]) + file).dropFirst(3)) == whole)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<3000 {
            var copy = file
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                copy[Int.random(in: 0..<copy.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if let header = ImageHeader(copy) { #expect(header.width > 0 && header.height > 0) }
        }
    }
}

/// Files with true headers; their pixels are left out or meaningless.
enum SampleImage {
    static let all = [
        png(width: 300, height: 200, animated: true), jpeg(width: 30, height: 20, progressive: true, metadata: 100),
        gif(width: 7, height: 5, frames: 3), webP("VP8X", [2, 0, 0, 0, 9, 0, 0, 9, 0, 0]),
        heif("heic", ["mif1", "hevs"], [(30, 20), (10, 10)]), sequence("avis", ["msf1"], 30, 20, version: 1),
    ]

    static func png(width: Int, height: Int, interlaced: Bool = false, animated: Bool = false) -> Data {
        let header = big(width, 4) + big(height, 4) + [8, 6, 0, 0, interlaced ? 1 : 0]
        var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + chunk("IHDR", header)
        if animated { file += chunk("acTL", big(2, 4) + big(0, 4)) }
        return file + chunk("IDAT", [1, 2, 3]) + chunk("IEND", [])
    }

    static func jpeg(width: Int, height: Int, progressive: Bool = false, metadata: Int = 16) -> Data {
        var file = Data([0xFF, 0xD8, 0xFF, 0xE0] + big(metadata + 2, 2))
        file += Data(repeating: 0xFF, count: metadata)
        // A marker may be preceded by fill bytes (T.81 section B.1.1.2).
        file += Data([0xFF, 0xFF, progressive ? 0xC2 : 0xC0] + big(11, 2) + [8] + big(height, 2) + big(width, 2))
        return file + Data([1, 1, 0x11, 0, 0xFF, 0xDA])
    }

    /// Interlaced frames, whose height is 4 more than that of the screen.
    static func gif(width: Int, height: Int, frames: Int) -> Data {
        var file = Data("GIF89a".utf8) + Data(little(width, 2) + little(height, 2) + [0x80, 0, 0, 0, 0, 0, 9, 9, 9])
        for _ in 0..<frames {
            file += Data([0x21, 0xF9, 4, 0, 10, 0, 0, 0])
            file += Data([0x2C, 0, 0, 0, 0] + little(width, 2) + little(height + 4, 2) + [0x40, 2, 2, 0x4C, 1, 0])
        }
        return file + Data([0x3B])
    }

    static func webP(_ name: String, _ content: [UInt8]) -> Data {
        let chunk = Data(name.utf8) + Data(little(content.count, 4) + content)
        return Data("RIFF".utf8) + Data(little(chunk.count + 4, 4)) + Data("WEBP".utf8) + chunk
    }

    /// Images of these sizes, the first of which are tiles.
    static func heif(_ major: String, _ compatible: [String], _ sizes: [(Int, Int)]) -> Data {
        let properties = sizes.flatMap {
            box("ispe", big(0, 4) + big($0.0, 4) + big($0.1, 4)) + box("pixi", [0, 0, 0, 0])
        }
        let content = box("hdlr", [0, 0, 0, 0]) + box("iprp", box("ipco", properties) + box("ipma", []))
        return type(major, compatible) + Data(box("meta", big(0, 4) + content))
    }

    /// A track of this size.
    static func sequence(
        _ major: String, _ compatible: [String], _ width: Int, _ height: Int, version: Int = 0
    ) -> Data {
        let start = [UInt8(version), 0, 0, 7] + [UInt8](repeating: 0, count: version == 1 ? 84 : 72)
        let header = box("tkhd", start + big(width << 16, 4) + big(height << 16, 4))
        return type(major, compatible) + Data(box("free", []) + box("moov", box("mvhd", [1]) + box("trak", header)))
    }

    private static func type(_ major: String, _ compatible: [String]) -> Data {
        Data(box("ftyp", Array(major.utf8) + big(0, 4) + compatible.flatMap { Array($0.utf8) }))
    }

    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        big(content.count + 8, 4) + Array(name.utf8) + content
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> Data {
        Data(big(content.count, 4)) + Data(name.utf8) + Data(content) + Data([0, 0, 0, 0])
    }

    private static func big(_ value: Int, _ size: Int) -> [UInt8] {
        little(value, size).reversed()
    }

    private static func little(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
