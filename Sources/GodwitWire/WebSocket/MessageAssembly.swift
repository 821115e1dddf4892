/// A message whose fragments are coming in.
struct MessageAssembly: Sendable {
    let isCompressed: Bool
    private let isText: Bool
    private let limit: Int
    private var bytes: [UInt8] = []
    private var checker = UTF8Checker()

    init(isText: Bool, isCompressed: Bool, limit: Int) {
        self.isText = isText
        self.isCompressed = isCompressed
        self.limit = max(0, limit)
    }

    /// A peer that announces too much is told before it sends it. What it announces is believed only in part, so that
    /// headers alone cost no memory.
    mutating func willTake(_ count: Int) throws(WebSocketFault) {
        guard !isCompressed else { return }
        guard count <= limit - bytes.count else { throw .tooLarge(limit: limit) }
        if bytes.isEmpty { bytes.reserveCapacity(min(count, 1 << 20)) }
    }

    mutating func append(_ piece: UnsafeRawBufferPointer) throws(WebSocketFault) {
        guard piece.count <= limit - bytes.count else { throw .tooLarge(limit: limit) }
        if isText, !checker.check(piece) { throw .notUTF8 }
        bytes.append(contentsOf: piece)
    }

    func finish() throws(WebSocketFault) -> WebSocketMessage {
        guard isText else { return .binary(Data(bytes)) }
        guard checker.isComplete else { throw .notUTF8 }
        return .text(String(decoding: bytes, as: UTF8.self))
    }
}
