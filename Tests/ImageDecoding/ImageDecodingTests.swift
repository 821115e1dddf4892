import CImageWriting
import Glibc
import Godwit
import GodwitTesting
import GodwitUI
import ImageDecoding
import TestSupport
import Testing

@Suite("V4 images decoded by libjpeg and libpng", .enabled(if: WrittenImage.isPossible), .timeLimit(.minutes(15)))
struct ImageDecodingTests {
    @Test("V4 JPEG and PNG of every kind become the right pixels, scaled down to fit", arguments: WrittenImage.kinds)
    fileprivate func scales(_ kind: WrittenImage) throws {
        for (box, width, height) in [(nil, 403, 302), (PixelSize(width: 40, height: 400), 40, 30)] {
            let bitmap = try Bitmap(kind.file(403, 302), fitting: box)
            #expect(bitmap.width == width && bitmap.height == height)
            #expect(bitmap.pixels.count == 4 * width * height)
            for (x, y) in [(0, 0), (width - 1, 0), (width / 2, height / 2), (0, height - 1)] {
                let pixel = bitmap.pixels.dropFirst(4 * (y * width + x)).prefix(4).map { Int($0) }
                #expect(abs(pixel[0] - (2 * x + 1) * 255 / (2 * width)) < 10, "\(x) \(y) \(pixel)")
                #expect(abs(pixel[1] - (2 * y + 1) * 255 / (2 * height)) < 10, "\(x) \(y) \(pixel)")
                #expect(abs(pixel[2] - 128) < 6 && pixel[3] == 255, "\(x) \(y) \(pixel)")
            }
        }
    }

    @Test("V4 images are never enlarged, and any size of the result is possible", arguments: WrittenImage.kinds)
    fileprivate func sizes(_ kind: WrittenImage) throws {
        let file = kind.file(50, 3)
        for size in [1, 2, 3, 7, 49, 50, 51, .max] {
            let bitmap = try Bitmap(file, fitting: PixelSize(width: size, height: size))
            #expect(bitmap.width == min(size, 50) && bitmap.height >= 1)
            #expect(bitmap.pixels.count == 4 * bitmap.width * bitmap.height)
        }
    }

    @Test("V4 every prefix of a file is refused; of a JPEG, a preview is decoded", arguments: WrittenImage.kinds)
    fileprivate func prefixes(_ kind: WrittenImage) throws {
        let file = kind.file(64, 48)
        var previews = 0
        for count in 0..<file.count {
            // The last bytes of a JPEG are its end marker, those of a PNG a checksum.
            if count < file.count - 2 { #expect(throws: BitmapFailure.self) { try Bitmap(file.prefix(count)) } }
            if (try? Bitmap(file.prefix(count), ending: .shown)) != nil { previews += 1 }
        }
        #expect(kind.isPNG ? previews == 0 : previews > 10)
    }

    @Test("V4 thousands of damaged files end in pixels or an error", arguments: WrittenImage.kinds)
    fileprivate func damaged(_ kind: WrittenImage) throws {
        let file = kind.file(64, 48)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            var copy = file
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                copy[Int.random(in: 0..<copy.count, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
            }
            do {
                let bitmap = try Bitmap(copy, fitting: PixelSize(width: 20, height: 20), pixelLimit: 1 << 20)
                #expect(bitmap.pixels.count == 4 * bitmap.width * bitmap.height)
            } catch {
                #expect(error is BitmapFailure || error is ImageTooLarge)
            }
        }
    }

    @Test("V4 too many pixels, another format and no image are errors of their own")
    func refused() throws {
        let file = WrittenImage(isPNG: false).file(100, 100)
        #expect(throws: ImageTooLarge(width: 100, height: 100, limit: 9999)) {
            try Bitmap(file, fitting: PixelSize(width: 1, height: 1), pixelLimit: 9999)
        }
        #expect(throws: BitmapFailure.unsupported) { try Bitmap(Data("GIF89a".utf8)) }
        #expect(throws: BitmapFailure.unsupported) { try Bitmap(Data()) }
        // The size of a PNG counts only if its checksum is right.
        var broken = WrittenImage(isPNG: true).file(10, 10)
        broken[18] = 1
        let failure = #expect(throws: BitmapFailure.self) { try Bitmap(broken) }
        guard case .corrupt = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test("V4 over a socket: a progressive JPEG arrives in stages, the last one scaled down and kept")
    func overSocket() async throws {
        let file = WrittenImage(isPNG: false, isSpecial: true).file(600, 400)
        let server = try await MockServer { route in
            let pieces = stride(from: 0, to: file.count, by: 1 << 10).map { file.dropFirst($0).prefix(1 << 10) }
            route.get("/photo.jpg").reply(.chunks(pieces.map { Data($0) }, every: .milliseconds(5)))
        }
        let api = APIClient(baseURL: server.url)
        let url = "\(server.url)/photo.jpg"
        let images = ImageLoader<Bitmap>(api, options: ImageOptions { $0.previewInterval = .milliseconds(1) })
        let size = PixelSize(width: 60, height: 60)
        var previews = 0
        var last: Bitmap?
        for try await stage in images.stages(of: url, fitting: size) {
            switch stage {
            case .preview(let bitmap):
                #expect(bitmap.width == 60 && bitmap.height == 40)
                previews += 1
            case .image(let image): last = image.picture
            }
        }
        #expect((1...4).contains(previews))
        #expect(last?.width == 60)
        #expect(images.imageInMemory(at: url, fitting: size) == last)
        await server.stop()
    }

    @Test("V4 a photo of 24 million pixels is scaled down in a fraction of the memory that all its pixels need")
    func memory() async throws {
        let folder = TemporaryFolder()
        let file = try folder.file("photo.jpg", WrittenImage(isPNG: false).file(6000, 4000))
        let whole = try await peak([file.path])
        let small = try await peak([file.path, "200", "200"])
        #expect(whole > 90_000, "\(whole) kB")
        #expect(small * 3 < whole, "\(small) kB")
    }

    /// The peak of the example program's memory in kB.
    private func peak(_ arguments: [String]) async throws -> Int {
        let path = try #require(ChildProgram.built("image-thumbnail")).path
        let run = try await ChildProgram.output(of: [path] + arguments)
        #expect(run.code == 0)
        return try #require(run.text.split(separator: " ").compactMap { Int($0) }.last)
    }
}

/// A file that the test writes.
private struct WrittenImage: Sendable, CustomTestStringConvertible {
    var isPNG: Bool
    /// Progressive JPEG or interlaced PNG.
    var isSpecial = false

    static let kinds = [false, true].flatMap { isPNG in [false, true].map { Self(isPNG: isPNG, isSpecial: $0) } }

    static var isPossible: Bool { !Self(isPNG: true).file(1, 1).isEmpty }

    var testDescription: String { "\(isSpecial ? "progressive" : "plain") \(isPNG ? "PNG" : "JPEG")" }

    func file(_ width: UInt32, _ height: UInt32) -> Data {
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        let write = isPNG ? image_write_png : image_write_jpeg
        guard write(width, height, isSpecial ? 1 : 0, &bytes, &count) == 1, let bytes else { return Data() }
        defer { bytes.deallocate() }
        return Data(bytes: bytes, count: count)
    }
}
