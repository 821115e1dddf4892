import GodwitUI
import Testing

@Suite("Decoded images")
struct DecodedImageTests {
    @Test(
        "V3 an image's size in memory never traps, whatever size a file claims",
        arguments: [
            (10.0, 20.0, 800), (0.5, 0.5, 1), (0, 0, 0), (-1, 5, 0), (1e300, 1e300, Int.max), (.infinity, 1, .max),
            (.nan, 1, 0), (1e12, 1e12, .max),
        ])
    func byteCount(width: Double, height: Double, bytes: Int) {
        #expect(DecodedImage("picture", width: width, height: height).byteCount == bytes)
    }
}
