/// The settings of a session, for all its jobs.
package struct TransferSettings: Sendable, Hashable, Codable {
    package var relaunch: [String]
    /// The environment of the relaunched program, in addition to the transferring process's.
    package var variables: [String: String]?

    package init(relaunch: [String] = [], variables: [String: String]? = nil) {
        self.relaunch = relaunch
        self.variables = variables
    }

    /// Keeps the paths, language and display of a program's environment for its relaunch, and no other variables, as they
    /// may contain secrets.
    package init(relaunch: [String], of program: [String: String]) {
        let names: Set = [
            "PATH", "HOME", "LANG", "TZ", "TMPDIR", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY",
            "DBUS_SESSION_BUS_ADDRESS",
        ]
        let kept = program.filter { names.contains($0.key) || $0.key.hasPrefix("XDG_") || $0.key.hasPrefix("LC_") }
        self.init(relaunch: relaunch, variables: relaunch.isEmpty ? nil : kept)
    }

    /// Why a program can't be started with these settings; `nil` if it can.
    package var fault: String? {
        if let program = relaunch.first, !program.hasPrefix("/") {
            return "the path of the program to start is not absolute"
        }
        let isSound = (variables ?? [:]).allSatisfy { name, value in
            !name.isEmpty && !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "=") } && !value.utf8.contains(0)
        }
        return isSound ? nil : "the program to start has an invalid environment variable"
    }
}
