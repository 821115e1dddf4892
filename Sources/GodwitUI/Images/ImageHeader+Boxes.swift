/// HEIF, which holds HEIC and AVIF (ISO/IEC 23008-12; AV1 Image File Format).
extension ImageHeader {
    /// The brands of sequences, and of all files (ISO/IEC 23008-12 annex B; AVIF section 8).
    fileprivate static let sequences = ["msf1", "hevc", "hevx", "hevm", "hevs", "avis"]
    fileprivate static let brands = sequences + ["mif1", "heic", "heix", "heim", "heis", "avif"]

    /// A file's brands, and the size of its largest image, or else of its tracks.
    static func heif(_ bytes: ImageBytes) -> ImageHeader? {
        guard let type = Box(bytes, at: 0, before: bytes.count), type.isWhole, type.has("ftyp") else { return nil }
        let brands = type.brands
        guard let size = size(bytes, after: type.end) else { return nil }
        var header = ImageHeader(brands.isAVIF ? .avif : .heif, width: size.width, height: size.height)
        header?.isAnimated = brands.isSequence
        return header
    }

    static func isHEIF(_ bytes: ImageBytes) -> Bool {
        bytes.has("ftyp".utf8, at: 4) && Box(bytes, at: 0, before: bytes.count)?.brands.isHEIF == true
    }

    private static func size(_ bytes: ImageBytes, after start: Int) -> (width: Int, height: Int)? {
        let file = Boxes(bytes, start..<bytes.count)
        // The content of a `meta` box begins with its version and flags.
        if let properties = file.first("meta")?.boxes(after: 4).first("iprp")?.boxes().first("ipco") {
            guard properties.isWhole else { return nil }
            let sizes = properties.boxes().filter { $0.has("ispe") }.compactMap { box in
                box.number(4, at: 4).flatMap { width in box.number(4, at: 8).map { (width, $0) } }
            }
            if let largest = sizes.max(by: { pixels($0) < pixels($1) }) { return largest }
        }
        guard let movie = file.first("moov"), movie.isWhole else { return nil }
        return movie.boxes().filter { $0.has("trak") }.compactMap { $0.boxes().first("tkhd")?.trackSize }
            .max { pixels($0) < pixels($1) }
    }

    private static func pixels(_ size: (width: Int, height: Int)) -> Int {
        let (pixels, overflows) = size.width.multipliedReportingOverflow(by: size.height)
        return overflows ? .max : pixels
    }
}

/// What the brands of a file say.
private struct Brands {
    var isHEIF = false, isAVIF = false, isSequence = false
}

/// A box of a file (ISO/IEC 14496-12 section 4.2). What it claims beyond the bytes isn't read.
private struct Box {
    private let bytes: ImageBytes
    private let start: Int
    private let content: Range<Int>
    /// Whether the bytes contain all of it.
    let isWhole: Bool

    /// `nil` if the box has no header before the end, or if its size isn't valid.
    init?(_ bytes: ImageBytes, at start: Int, before end: Int) {
        guard start <= end - 8, var size = bytes.bigEndian(4, at: start) else { return nil }
        var header = 8
        if size == 1 {
            // Larger boxes than 4 GiB aren't images.
            guard bytes.bigEndian(4, at: start + 8) == 0, let large = bytes.bigEndian(4, at: start + 12) else {
                return nil
            }
            size = large
            header = 16
        } else if size == 0 {
            size = end - start
        }
        guard size >= header, header <= end - start else { return nil }
        self.bytes = bytes
        self.start = start
        isWhole = size <= end - start
        content = start + header..<start + min(size, end - start)
    }

    var end: Int { content.upperBound }

    func has(_ kind: String) -> Bool { bytes.has(kind.utf8, at: start + 4) }

    /// A number at an offset in the content.
    func number(_ size: Int, at offset: Int) -> Int? {
        guard offset + size <= content.count else { return nil }
        return bytes.bigEndian(size, at: content.lowerBound + offset)
    }

    /// The boxes in the content.
    func boxes(after offset: Int = 0) -> Boxes {
        Boxes(bytes, min(content.lowerBound + offset, content.upperBound)..<content.upperBound)
    }

    /// The major brand of a file, and the first compatible ones.
    var brands: Brands {
        var brands = Brands()
        // The second number is the minor version.
        for offset in [0] + Array(stride(from: 8, to: min(content.count, 264), by: 4)) where offset + 4 <= content.count
        {
            let place = content.lowerBound + offset
            let isOne = { (names: [String]) in names.contains { bytes.has($0.utf8, at: place) } }
            if isOne(ImageHeader.brands) { brands.isHEIF = true }
            if isOne(ImageHeader.sequences) { brands.isSequence = true }
            if isOne(["avif", "avis"]) { brands.isAVIF = true }
        }
        return brands
    }

    /// The size in a `tkhd` box, which has 16 bits before the point (section 8.3.2).
    var trackSize: (width: Int, height: Int)? {
        guard let version = number(1, at: 0), let width = number(2, at: version == 1 ? 88 : 76),
            let height = number(2, at: version == 1 ? 92 : 80)
        else { return nil }
        return (width, height)
    }
}

/// The boxes in a range of a file.
private struct Boxes: Sequence, IteratorProtocol {
    private let bytes: ImageBytes
    private var range: Range<Int>

    init(_ bytes: ImageBytes, _ range: Range<Int>) {
        self.bytes = bytes
        self.range = range
    }

    mutating func next() -> Box? {
        guard let box = Box(bytes, at: range.lowerBound, before: range.upperBound) else { return nil }
        range = box.end..<range.upperBound
        return box
    }

    func first(_ kind: String) -> Box? { first { $0.has(kind) } }
}
