import GodwitUI
import Testing

@Suite("V4 pixel size")
struct PixelSizeTests {
    @Test(
        "V4 an image is made to fit with its proportions, and never larger",
        arguments: [
            (4000.0, 3000.0, 200.0, 150.0), (3000, 4000, 150, 200), (100, 50, 100, 50), (200, 200, 200, 200),
            (1, 100_000, 1, 200), (0, 10, 0, 0),
        ])
    func fitting(_ width: Double, _ height: Double, _ fittedWidth: Double, _ fittedHeight: Double) {
        let fitted = PixelSize(width: 200, height: 200).fitting(width: width, height: height)
        #expect(fitted.width == fittedWidth)
        #expect(fitted.height == fittedHeight)
    }

    @Test(
        "V4 an image can be made to cover the size, with its proportions, and never larger",
        arguments: [
            (4000.0, 3000.0, 267.0, 200.0), (3000, 4000, 200, 267), (100, 50, 100, 50), (400, 100, 400, 100),
            (0, 10, 0, 0),
        ])
    func filling(_ width: Double, _ height: Double, _ filledWidth: Double, _ filledHeight: Double) {
        let size = PixelSize(width: 200, height: 200, contentMode: .fill)
        let filled = size.fitting(width: width, height: height)
        #expect(filled.width == filledWidth && filled.height == filledHeight)
        #expect(size != PixelSize(width: 200, height: 200))
    }

    @Test("V4 a size has at least one pixel")
    func smallest() {
        #expect(PixelSize(width: 0, height: -3) == PixelSize(width: 1, height: 1))
    }
}
