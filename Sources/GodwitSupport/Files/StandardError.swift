import GodwitLibc

/// Writes to the process's standard error.
public enum StandardError {
    /// Writes a message and a line break together, so that messages don't interleave.
    public static func log(_ message: String) {
        _ = Array("\(message)\n".utf8).withUnsafeBytes { Descriptor.write($0, to: STDERR_FILENO) }
    }
}
