/// Tells whether an upload moves whose bytes libcurl and the kernel have taken and carry on by themselves.
struct UploadWatch {
    /// How far an exchange is, looked at now and then.
    struct Progress: Equatable {
        /// Bytes of the body that left libcurl's own buffer.
        var uploaded: Int64
        /// Bytes of the connection that the peer acknowledged, and those that wait for it; nil if it isn't known.
        var kernel: Kernel?
        /// When the last byte for this exchange came in; nil if it isn't known.
        var received: LoopTime?

        struct Kernel: Equatable {
            var acknowledged: UInt64
            var queued: UInt64
        }
    }

    private var last: Progress?
    /// The acknowledgement by which everything that left libcurl so far has arrived. What comes later is of other exchanges.
    private var target: UInt64 = 0

    /// Whether something moved since the last look. The first look counts as movement, as there is none to compare with.
    mutating func hasMoved(_ progress: Progress) -> Bool {
        let before = last
        last = progress
        let hasLeft = before.map { $0.uploaded != progress.uploaded } ?? true
        guard let kernel = progress.kernel else { return hasLeft }
        if hasLeft { target = kernel.acknowledged + kernel.queued }
        guard let known = before?.kernel else { return hasLeft }
        return hasLeft || known.acknowledged < target && kernel.acknowledged > known.acknowledged
    }
}
