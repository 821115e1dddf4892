import Godwit

/// A drawing of the sea: sky, sun and waves, in colors that depend on a number.
nonisolated struct SeaPicture {
    static let (width, height) = (240, 135)

    private let seed: Int

    init(seed: Int) {
        self.seed = seed
    }

    var png: Data {
        PNG(width: Self.width, height: Self.height, palette: palette, pixels: pixels).data
    }

    /// 64 shades of sky, the sun, and 6 waves.
    private var palette: [(UInt8, UInt8, UInt8)] {
        let skies: [(top: [Int], bottom: [Int])] = [
            ([38, 84, 124], [250, 211, 144]), ([92, 107, 192], [255, 204, 188]), ([26, 35, 126], [179, 136, 235]),
            ([2, 119, 189], [225, 245, 254]), ([69, 90, 100], [236, 226, 208]),
        ]
        let sky = skies[seed % skies.count]
        let shades = (0..<64).map { step in Self.mixed(sky.top, sky.bottom, step, of: 63) }
        let waves = (0..<6).map { step in Self.mixed([48, 120, 140], [10, 44, 66], step, of: 5) }
        return shades + [(255, 244, 214)] + waves
    }

    private var pixels: [UInt8] {
        let (horizon, sunX, sunY) = (76, 30 + seed * 37 % 180, 24 + seed * 13 % 30)
        var pixels = [UInt8](repeating: 0, count: Self.width * Self.height)
        for y in 0..<Self.height {
            for x in 0..<Self.width {
                let (dx, dy) = (x - sunX, y - sunY)
                let color: Int
                if let wave = wave(x, y, horizon) {
                    color = 65 + wave
                } else {
                    color = dx * dx + dy * dy < 200 ? 64 : min(63, y * 64 / horizon)
                }
                pixels[y * Self.width + x] = UInt8(truncatingIfNeeded: color)
            }
        }
        return pixels
    }

    /// The wave in front at a point; `nil` in the sky.
    private func wave(_ x: Int, _ y: Int, _ horizon: Int) -> Int? {
        (0..<6).last { wave in
            let length = 40 + wave * 14
            let place = (x + seed * 11 + wave * 29) % length
            let crest = abs(place - length / 2) * (2 + wave) / (length / 4)
            return y > horizon + wave * 10 + crest
        }
    }

    private static func mixed(_ a: [Int], _ b: [Int], _ step: Int, of count: Int) -> (UInt8, UInt8, UInt8) {
        let mix = zip(a, b).map { UInt8(clamping: $0 + ($1 - $0) * step / count) }
        return (mix[0], mix[1], mix[2])
    }
}
