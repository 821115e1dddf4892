// The offsets are bounded by the number of bytes, and lengths by 32 bits, so that sums can't overflow.
extension ImageHeader {
    /// PNG: IHDR (W3C PNG section 11.2.1); an animation has an acTL chunk before its first IDAT (section 11.3.6.1).
    static func png(_ bytes: ImageBytes) -> ImageHeader? {
        guard bytes.has("IHDR".utf8, at: 12), let width = bytes.bigEndian(4, at: 16),
            let height = bytes.bigEndian(4, at: 20), let interlace = bytes[28]
        else { return nil }
        var header = ImageHeader(.png, width: width, height: height)
        header?.isProgressive = interlace == 1
        var chunk = 8
        while let length = bytes.bigEndian(4, at: chunk), !bytes.has("IDAT".utf8, at: chunk + 4) {
            if bytes.has("acTL".utf8, at: chunk + 4) {
                header?.isAnimated = true
                break
            }
            chunk += 12 + length
        }
        return header
    }

    /// JPEG: the first frame header, SOFn (ITU-T T.81 section B.2.2).
    static func jpeg(_ bytes: ImageBytes) -> ImageHeader? {
        var offset = 2
        while bytes[offset] == 0xFF, let marker = bytes[offset + 1] {
            switch marker {
            case 0xFF: offset += 1
            case 0x01, 0xD0...0xD7: offset += 2
            case 0xD8, 0xD9, 0xDA: return nil
            case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
                guard let height = bytes.bigEndian(2, at: offset + 5), let width = bytes.bigEndian(2, at: offset + 7)
                else { return nil }
                var header = ImageHeader(.jpeg, width: width, height: height)
                header?.isProgressive = [0xC2, 0xC6, 0xCA, 0xCE].contains(marker)
                return header
            default:
                guard let length = bytes.bigEndian(2, at: offset + 2), length >= 2 else { return nil }
                offset += 2 + length
            }
        }
        return nil
    }

    /// GIF89a: the logical screen, and its images: a frame may be larger than the screen.
    static func gif(_ bytes: ImageBytes) -> ImageHeader? {
        guard var width = bytes.littleEndian(2, at: 6), var height = bytes.littleEndian(2, at: 8),
            let flags = bytes[10]
        else { return nil }
        var offset = 13 + colorTableSize(flags)
        var frames = 0
        var isInterlaced = false
        while let introducer = bytes[offset] {
            if introducer == 0x21 {
                offset = endOfBlocks(bytes, offset + 2)
            } else if introducer == 0x2C, let frameWidth = bytes.littleEndian(2, at: offset + 5),
                let frameHeight = bytes.littleEndian(2, at: offset + 7), let flags = bytes[offset + 9]
            {
                width = max(width, frameWidth)
                height = max(height, frameHeight)
                frames += 1
                if frames == 1 { isInterlaced = flags & 0x40 != 0 }
                offset = endOfBlocks(bytes, offset + 11 + colorTableSize(flags))
            } else {
                break
            }
        }
        var header = ImageHeader(.gif, width: width, height: height)
        header?.isAnimated = frames > 1
        header?.isProgressive = isInterlaced
        return header
    }

    private static func colorTableSize(_ flags: Int) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1)
    }

    /// The offset after a row of data sub-blocks.
    private static func endOfBlocks(_ bytes: ImageBytes, _ start: Int) -> Int {
        var offset = start
        while let size = bytes[offset], size > 0 { offset += 1 + size }
        return offset + 1
    }

    /// WebP: the extended, lossy or lossless header (RFC 9649 sections 2.5, 2.6 and 2.7).
    static func webP(_ bytes: ImageBytes) -> ImageHeader? {
        if bytes.has("VP8X".utf8, at: 12) {
            guard let flags = bytes[20], let width = bytes.littleEndian(3, at: 24),
                let height = bytes.littleEndian(3, at: 27)
            else { return nil }
            var header = ImageHeader(.webP, width: width + 1, height: height + 1)
            header?.isAnimated = flags & 0x02 != 0
            return header
        }
        if bytes.has("VP8 ".utf8, at: 12) {
            guard bytes.has([0x9D, 0x01, 0x2A], at: 23), let width = bytes.littleEndian(2, at: 26),
                let height = bytes.littleEndian(2, at: 28)
            else { return nil }
            return ImageHeader(.webP, width: width & 0x3FFF, height: height & 0x3FFF)
        }
        guard bytes.has("VP8L".utf8, at: 12), bytes[20] == 0x2F, let bits = bytes.littleEndian(4, at: 21) else {
            return nil
        }
        return ImageHeader(.webP, width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
    }
}
