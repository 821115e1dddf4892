/// What the containers of one `decode` call share.
///
/// Containers are small structs of a reference to this and an entry's index, so that Swift's existentials hold them
/// without an allocation.
final class DecodingSession {
    let document: JSONDocument
    let options: JSONModelDecoder
    let spelling: KeySpelling
    let entries: UnsafePointer<TapeEntry>
    /// Changes only after `decode`, so that each access need not be checked.
    @exclusivity(unchecked)
    private(set) var bytes: UnsafePointer<UInt8>
    // Each use of this and the following ones is so short that it need not be checked.
    @exclusivity(unchecked) var memory = DecodingMemory.take()
    @exclusivity(unchecked) var urls = RecentURLs()
    /// Of objects with many members.
    var indexes: [UInt32: KeyIndex] = [:]
    /// Objects that are decoded as dictionaries, whose keys aren't converted.
    var verbatimObjects: Set<UInt32> = []
    /// The memory that trees of ``JSONValue`` take.
    var treeSize = 0
    @exclusivity(unchecked) var lastCount: (array: UInt32, count: Int) = (.max, 0)
    /// Where the last path went: at each depth a container, and the place and position in it.
    var lastPath: [PathStep] = []
    private var ownBytes: UnsafeMutableBufferPointer<UInt8>?
    /// Paths of values that aren't in the document: `superDecoder` of a missing key.
    private var absentPaths: [[any CodingKey]] = []

    init(_ document: JSONDocument, _ bytes: UnsafePointer<UInt8>, _ options: JSONModelDecoder) {
        self.document = document
        self.options = options
        spelling = KeySpelling(options.keyDecodingStrategy)
        entries = document.tape.entries
        self.bytes = bytes
    }

    var plans: TypePlans { memory.plans }
    var cursors: UnsafeMutablePointer<ObjectCursor> { memory.cursors }

    deinit {
        memory.give()
        ownBytes?.deallocate()
    }

    /// Copies the bytes, for containers that are kept after `decode` has returned.
    func keepBytes() {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: document.source.count)
        _ = copy.initialize(from: document.source)
        ownBytes = copy
        if let base = copy.baseAddress { bytes = UnsafePointer(base) }
        // They point to the former bytes.
        indexes = [:]
        cursors.update(repeating: ObjectCursor(), count: DecodingMemory.cursorCount)
    }

    @inline(__always)
    func entry(_ index: UInt32) -> TapeEntry { entries[Int(index)] }

    @inline(__always)
    func text(_ entry: TapeEntry) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + Int(entry.start), count: Int(entry.length))
    }

    /// The key of a member as it is in the document. The scanner has checked that it is valid text.
    func sentKey(at index: UInt32) -> String {
        let entry = entry(index)
        return StringText(bytes: text(entry), notes: entry.notes).string ?? ""
    }

    /// An index that stands for a missing value with this path.
    func absent(_ path: [any CodingKey]) -> UInt32 {
        absentPaths.append(path)
        return Self.absent &+ UInt32(truncatingIfNeeded: absentPaths.count &- 1)
    }

    /// Indexes from here on belong to values that aren't in the document. Documents are too small for as many entries.
    static let absent: UInt32 = 1 << 31

    /// The path of a missing value; `nil` if the index is one of the document.
    func absentPath(_ index: UInt32) -> [any CodingKey]? {
        index < Self.absent ? nil : absentPaths[Int(index &- Self.absent)]
    }
}
