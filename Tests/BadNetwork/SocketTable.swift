import Godwit

/// Sockets of this machine, as the kernel lists them.
enum SocketTable {
    /// How many sockets whose peer has this port are in CLOSE-WAIT: closed by the peer and not by us.
    static func closeWaits(toPort port: Int) -> Int {
        let text = (try? String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)) ?? ""
        let digits = String(port, radix: 16, uppercase: true)
        let suffix = ":" + String(repeating: "0", count: 4 - digits.count) + digits
        return text.split(separator: "\n").count { line in
            let fields = line.split(separator: " ")
            return fields.count > 3 && fields[2].hasSuffix(suffix) && fields[3] == "08"
        }
    }
}
