#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import GodwitCore

/// The user's instance of systemd, as `systemctl --user` reaches it.
struct Systemctl: Sendable {
    /// The environment that it is looked for and run in.
    let variables: [String: String]

    /// Runs a command; nil if it succeeded, else why not. Blocks.
    func fault(_ words: [String]) -> String? {
        guard let program else { return "there is no systemctl on the PATH" }
        let line = "systemctl --user \(words.joined(separator: " "))"
        // It takes the environment to find the user's instance, and no input.
        guard let process = ChildProcess([program, "--user"] + words, variables: variables).start() else {
            return "cannot start \(line): \(String(cString: strerror(errno)))"
        }
        let code = ChildProcess.wait(for: process)
        return code == 0 ? nil : "\(line) ended with \(code)"
    }

    private var program: String? {
        let folders = (variables["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        return folders.map { "\($0)/systemctl" }.first { access($0, X_OK) == 0 }
    }
}
#endif
