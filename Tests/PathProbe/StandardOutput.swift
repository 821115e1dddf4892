import Glibc

/// Lines that are there at once, also in a pipe.
enum StandardOutput {
    static func print(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = write(STDOUT_FILENO, bytes, bytes.count)
    }
}
