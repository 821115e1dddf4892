import Glibc

/// The exit of a benchmark without a result.
public enum Program {
    /// Prints a message on standard error and ends the program: 2 for a wrong command line, 3 for a mode that cannot
    /// be measured, 1 for any other reason.
    public static func fail(_ message: String, status: Int32 = 1) -> Never {
        let bytes = Array((message + "\n").utf8)
        write(STDERR_FILENO, bytes, bytes.count)
        exit(status)
    }
}
