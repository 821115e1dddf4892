/// What holds for all jobs of a session.
package struct TransferSettings: Sendable, Hashable, Codable {
    package var relaunch: [String]
    /// The variables that the relaunched program starts with; nil for those of the transferring process alone.
    package var variables: [String: String]?

    package init(relaunch: [String] = [], variables: [String: String]? = nil) {
        self.relaunch = relaunch
        self.variables = variables
    }

    /// Makes the settings of a program, which is started again in its own surroundings: by its paths, language and
    /// display. Nothing else of its environment is handed over, as secrets may stand in the rest.
    package init(relaunch: [String], of program: [String: String]) {
        let names: Set = [
            "PATH", "HOME", "LANG", "TZ", "TMPDIR", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY",
            "DBUS_SESSION_BUS_ADDRESS",
        ]
        let kept = program.filter { names.contains($0.key) || $0.key.hasPrefix("XDG_") || $0.key.hasPrefix("LC_") }
        self.init(relaunch: relaunch, variables: relaunch.isEmpty ? nil : kept)
    }

    /// Why a program can't be started with them; nil if it can.
    package var fault: String? {
        if let program = relaunch.first, !program.hasPrefix("/") {
            return "the program to start is no absolute path"
        }
        let isSound = (variables ?? [:]).allSatisfy { name, value in
            !name.isEmpty && !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "=") } && !value.utf8.contains(0)
        }
        return isSound ? nil : "a variable of the program to start is none"
    }
}
