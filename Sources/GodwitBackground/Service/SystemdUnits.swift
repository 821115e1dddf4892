#if os(Linux)
import GodwitCore
import GodwitLibc

/// The units by which systemd starts `godwit-transferd` when the user logs in, and when a program connects to its socket
/// (systemd.service(5), systemd.socket(5)).
struct SystemdUnits: Sendable, Hashable {
    static let serviceName = "godwit-transferd.service"
    static let socketName = "godwit-transferd.socket"
    /// The first line, which identifies files that we wrote.
    static let mark = "# Written by: godwit transfers service install"
    /// The longest path that systemd can listen on, in bytes.
    private static let longestAddress = 107

    let service: String
    /// `nil` if the path of the socket is too long for systemd. Then the first program starts the process.
    let socket: String?

    /// Throws `.file` if a unit can't name a path.
    init(program: String, places: TransferPlaces, idle: Int, parallel: Int) throws(NetworkError) {
        let paths = [program, places.folder.path, places.socket.path]
        if let path = paths.first(where: { $0.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } }) {
            throw NetworkError(
                .file(reason: "\(path) has a control character, which a unit can't name"), phase: .building)
        }
        service = Self.serviceUnit(
            [program, "--directory", places.folder.path, "--idle", "\(idle)", "--parallel", "\(parallel)"])
        let isReachable = places.socket.path.utf8.count <= Self.longestAddress
        socket = isReachable ? Self.socketUnit(places.socket.path) : nil
    }

    private static func serviceUnit(_ command: [String]) -> String {
        """
        \(mark)
        [Unit]
        Description=Godwit background transfers

        [Service]
        Type=simple
        ExecStart=\(command.map(quoted).joined(separator: " "))
        # Relaunched programs outlive the service.
        KillMode=process
        Restart=on-abnormal
        RestartSec=5
        UMask=0077

        [Install]
        WantedBy=default.target

        """
    }

    private static func socketUnit(_ path: String) -> String {
        """
        \(mark)
        [Unit]
        Description=Godwit background transfers

        [Socket]
        ListenStream=\(literal(path))
        SocketMode=0600
        DirectoryMode=0700

        [Install]
        WantedBy=sockets.target

        """
    }

    /// The files by their names.
    var files: [(name: String, text: String)] {
        [(Self.serviceName, service)] + (socket.map { [(Self.socketName, $0)] } ?? [])
    }

    /// Quotes an argument for systemd, so that quotes, variables and specifiers are literal.
    static func quoted(_ word: String) -> String {
        // Scalars: a quote with a combining mark is one character, but not for systemd.
        let text = literal(word).unicodeScalars.map { scalar -> String in
            switch scalar {
            case "\\": "\\\\"
            case "\"": "\\\""
            case "$": "$$"
            default: String(scalar)
            }
        }
        return "\"" + text.joined() + "\""
    }

    /// Escapes a value for systemd, so that specifiers are literal.
    private static func literal(_ text: String) -> String {
        text.unicodeScalars.map { $0 == "%" ? "%%" : String($0) }.joined()
    }
}

/// The user's instance of systemd, as `systemctl --user` reaches it.
struct Systemctl: Sendable {
    /// The environment in which it is found and run.
    let variables: [String: String]

    /// Runs a command; returns `nil` on success, else the reason. Blocks.
    func fault(_ words: [String]) -> String? {
        guard let program else { return "systemctl is not on the PATH" }
        let line = "systemctl --user \(words.joined(separator: " "))"
        // It needs the environment to find the user's instance.
        guard let process = ChildProcess([program, "--user"] + words, variables: variables).start() else {
            return "cannot start \(line): \(String(cString: strerror(errno)))"
        }
        let code = ChildProcess.wait(for: process)
        return code == 0 ? nil : "\(line) failed with exit code \(code)"
    }

    private var program: String? {
        let folders = (variables["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        return folders.map { "\($0)/systemctl" }.first { access($0, X_OK) == 0 }
    }
}
#endif
