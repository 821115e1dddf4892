/// Parses WebSocket bytes into messages (RFC 6455 section 5): unmasks, joins and validates frames, and rejects
/// violations at the first byte that shows them.
package struct MessageReader {
    /// A parsed event.
    package enum Event: Sendable, Hashable {
        case message(WebSocketMessage)
        case ping([UInt8])
        case pong([UInt8])
        /// The last event: bytes after it are ignored.
        case close(CloseContent)
    }

    private let role: WebSocketRole
    private let decompressor: (any MessageDecompressor)?
    /// A header that arrived in pieces.
    private var partialHeader: [UInt8] = []
    private var frame: FrameHeader?
    /// How much of the frame's content was received.
    private var received = 0
    private var control: [UInt8] = []
    private var assembly: MessageAssembly?
    private let limit: Int
    private var isClosed = false
    /// How many bytes the current call has decompressed.
    private var decompressed = 0

    /// So much of a compressed frame is decompressed in one step: up to a thousand times as much comes out.
    private static let compressedStep = 256
    /// After so many bytes, other connections have their turn.
    private static let decompressedPerCall = 512 << 10

    /// - Parameters:
    ///   - limit: Maximum bytes of a message after decompression.
    ///   - decompressor: Required if compression was negotiated.
    package init(_ role: WebSocketRole, limit: Int, decompressor: (any MessageDecompressor)? = nil) {
        self.role = role
        self.limit = limit
        self.decompressor = decompressor
    }

    /// Parses received bytes and emits what they complete, in order. Don't call it again after it threw.
    ///
    /// - Parameter emit: Receives an event; returns whether it takes another.
    /// - Returns: How many bytes were used: fewer than there are if `emit` takes no more, or if they expand to much. The rest must
    ///   be passed again.
    package mutating func read(
        _ bytes: UnsafeRawBufferPointer, _ emit: (Event) -> Bool
    ) throws(WebSocketFault) -> Int {
        var rest = bytes
        var goesOn = true
        decompressed = 0
        while !isClosed {
            guard goesOn, decompressed < Self.decompressedPerCall else { return bytes.count - rest.count }
            if frame == nil {
                guard let used = try readHeader(rest) else { break }
                rest = UnsafeRawBufferPointer(rebasing: rest[used...])
            }
            guard let frame else { break }
            let count = min(rest.count, frame.length - received, mostAtOnce(of: frame))
            try readContent(UnsafeRawBufferPointer(rebasing: rest[..<count]), of: frame) { goesOn = emit($0) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            if self.frame != nil, rest.isEmpty { break }
        }
        return bytes.count
    }

    private func mostAtOnce(of frame: FrameHeader) -> Int {
        !frame.opcode.isControl && assembly?.isCompressed == true ? Self.compressedStep : .max
    }

    // MARK: Headers

    /// Reads a header, or keeps its part; returns the bytes it used, `nil` if more are needed.
    private mutating func readHeader(_ bytes: UnsafeRawBufferPointer) throws(WebSocketFault) -> Int? {
        if partialHeader.isEmpty, bytes.count >= 2, bytes.count >= FrameHeader.size(bytes[0], bytes[1]) {
            let size = FrameHeader.size(bytes[0], bytes[1])
            try begin(FrameHeader(UnsafeRawBufferPointer(rebasing: bytes[..<size])))
            return size
        }
        var used = 0
        for byte in bytes {
            partialHeader.append(byte)
            used += 1
            guard partialHeader.count >= 2, partialHeader.count == FrameHeader.size(partialHeader[0], partialHeader[1])
            else { continue }
            let header = partialHeader
            partialHeader.removeAll(keepingCapacity: true)
            try begin(Self.parse(header))
            return used
        }
        return nil
    }

    private static func parse(_ header: [UInt8]) throws(WebSocketFault) -> FrameHeader {
        let result = header.withUnsafeBytes { bytes in
            Result { () throws(WebSocketFault) in try FrameHeader(bytes) }
        }
        return try result.get()
    }

    private mutating func begin(_ header: FrameHeader) throws(WebSocketFault) {
        guard (header.mask != nil) == (role == .server) else {
            throw .violation(role == .server ? "a client's frame is not masked" : "a server's frame is masked")
        }
        frame = header
        received = 0
        guard !header.opcode.isControl else { return }
        if header.opcode == .continuation {
            guard assembly != nil else { throw .violation("a message starts with a continuation frame") }
            guard !header.isCompressed else { throw .violation("a continuation frame is marked as compressed") }
        } else {
            guard assembly == nil else { throw .violation("a message starts inside another") }
            guard !header.isCompressed || decompressor != nil else { throw .violation("a reserved bit is set") }
            assembly = MessageAssembly(isText: header.opcode == .text, isCompressed: header.isCompressed, limit: limit)
        }
        try assembly?.willTake(header.length)
    }

    // MARK: Content

    private mutating func readContent(
        _ bytes: UnsafeRawBufferPointer, of frame: FrameHeader, _ emit: (Event) -> Void
    ) throws(WebSocketFault) {
        let offset = received
        received += bytes.count
        let isWhole = received == frame.length
        if frame.opcode.isControl {
            unmasked(bytes, frame, offset) { control.append(contentsOf: $0) }
            if isWhole { try endControl(frame, emit) }
        } else if let message = wholeMessage(bytes, frame, offset) {
            assembly = nil
            emit(.message(message))
        } else {
            try append(bytes, frame, offset)
            if isWhole, frame.isFinal { try endMessage(emit) }
        }
        if isWhole { self.frame = nil }
    }

    /// A message in one complete frame needs no buffer, and a text is validated once.
    private func wholeMessage(
        _ bytes: UnsafeRawBufferPointer, _ frame: FrameHeader, _ offset: Int
    ) -> WebSocketMessage? {
        guard frame.opcode != .continuation, frame.isFinal, offset == 0, bytes.count == frame.length, frame.mask == nil,
            !frame.isCompressed
        else { return nil }
        guard frame.opcode == .text else { return .binary(Data(bytes)) }
        return String(validating: bytes, as: UTF8.self).map { .text($0) }
    }

    private mutating func append(
        _ bytes: UnsafeRawBufferPointer, _ frame: FrameHeader, _ offset: Int
    ) throws(WebSocketFault) {
        guard !bytes.isEmpty, var assembly else { return }
        // Moved out while it grows, so that its bytes aren't copied.
        self.assembly = nil
        let decompressor = assembly.isCompressed ? decompressor : nil
        let result = unmasked(bytes, frame, offset) { plain in
            Result { () throws(WebSocketFault) in
                guard let decompressor else { return try assembly.append(plain) }
                let before = assembly.count
                defer { decompressed += assembly.count - before }
                try decompressor.decompress(plain) { piece throws(WebSocketFault) in try assembly.append(piece) }
            }
        }
        self.assembly = assembly
        try result.get()
    }

    private mutating func endMessage(_ emit: (Event) -> Void) throws(WebSocketFault) {
        guard var assembly else { return }
        self.assembly = nil
        if assembly.isCompressed, let decompressor {
            try decompressor.endMessage { piece throws(WebSocketFault) in try assembly.append(piece) }
        }
        emit(.message(try assembly.finish()))
    }

    private mutating func endControl(_ frame: FrameHeader, _ emit: (Event) -> Void) throws(WebSocketFault) {
        let content = control
        control.removeAll(keepingCapacity: true)
        switch frame.opcode {
        case .ping: emit(.ping(content))
        case .pong: emit(.pong(content))
        default:
            isClosed = true
            emit(.close(try CloseContent(content)))
        }
    }

    private func unmasked<Result>(
        _ bytes: UnsafeRawBufferPointer, _ frame: FrameHeader, _ offset: Int,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        guard let mask = frame.mask else { return body(bytes) }
        return withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 8) { buffer in
            FrameMask.copy(bytes, to: buffer, key: mask, offset: offset)
            return body(UnsafeRawBufferPointer(buffer))
        }
    }
}

/// A message whose fragments are being received.
struct MessageAssembly: Sendable {
    let isCompressed: Bool
    private let isText: Bool
    private let limit: Int
    /// Handed over as it is at the end of a binary message.
    private var bytes = Data()
    /// The length that the first frame announced.
    private var announced = 0
    private var checker = UTF8Checker()

    var count: Int { bytes.count }

    init(isText: Bool, isCompressed: Bool, limit: Int) {
        self.isText = isText
        self.isCompressed = isCompressed
        self.limit = max(0, limit)
    }

    /// Rejects an announced length over the limit.
    mutating func willTake(_ count: Int) throws(WebSocketFault) {
        guard !isCompressed else { return }
        guard count <= limit - bytes.count else { throw .tooLarge(limit: limit) }
        if bytes.isEmpty { announced = count }
    }

    mutating func append(_ piece: UnsafeRawBufferPointer) throws(WebSocketFault) {
        guard piece.count <= limit - bytes.count else { throw .tooLarge(limit: limit) }
        if isText, !checker.check(piece) { throw .notUTF8 }
        // Only a part of what is announced, so that headers alone cost no memory.
        if bytes.isEmpty { bytes.reserveCapacity(min(max(announced, piece.count), 1 << 20)) }
        piece.withMemoryRebound(to: UInt8.self) { bytes.append($0) }
    }

    func finish() throws(WebSocketFault) -> WebSocketMessage {
        guard isText else { return .binary(bytes) }
        guard checker.isComplete else { throw .notUTF8 }
        return .text(String(decoding: bytes, as: UTF8.self))
    }
}
