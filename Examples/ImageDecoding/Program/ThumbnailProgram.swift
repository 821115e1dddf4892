import GodwitCore
import GodwitUI
import ImageDecoding

/// `image-thumbnail FILE [WIDTH HEIGHT]`: decodes an image and prints its size and the peak of the program's memory.
@main
struct ThumbnailProgram {
    static func main() throws {
        let words = CommandLine.arguments.dropFirst()
        guard let path = words.first else { return print("usage: image-thumbnail FILE [WIDTH HEIGHT]") }
        let numbers = words.dropFirst().compactMap { Int($0) }
        let size = numbers.count == 2 ? PixelSize(width: numbers[0], height: numbers[1]) : nil
        let bitmap = try Bitmap(Data(contentsOf: URL(filePath: path)), fitting: size)
        print("\(bitmap.width) x \(bitmap.height), peak \(peakMemory() ?? "unknown")")
    }

    /// The largest resident size so far, as the kernel prints it (proc(5), VmHWM).
    private static func peakMemory() -> String? {
        let status = try? String(contentsOf: URL(filePath: "/proc/self/status"), encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.map { $0.split(whereSeparator: \.isWhitespace).dropFirst().joined(separator: " ") }
    }
}
