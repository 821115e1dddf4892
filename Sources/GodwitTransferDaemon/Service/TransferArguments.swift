#if os(Linux)
import GodwitBackground

/// The command line of `godwit-transferd`.
struct TransferArguments: Sendable {
    static let help = """
        Usage: godwit-transferd [OPTION…]

        Transfers files for the programs of one user that use Godwit's BackgroundSession, which start it by themselves.
        Ends when nothing is left to do.

          --directory DIR   queue, lock, log and socket; by default $XDG_STATE_HOME/godwit, else ~/.local/state/godwit
          --idle SECONDS    how long it waits with nothing to do; 60 by default
          --parallel N      how many jobs run at once, 1 to 64; 4 by default
          --detach          runs in a session of its own, and returns
          --help, --version

        SIGTERM ends it; what is under way is taken up by the next one. Sockets that systemd passes (LISTEN_FDS) are used.
        It does not take proxies or anything else from its environment; DIR/transferd.json may name a proxy:
          {"proxy": "http://proxy.example.com:3128", "noProxy": ["localhost"], "parallelJobs": 4, "idleSeconds": 60}

        """

    var places: TransferPlaces?
    var idle = 60.0
    var parallel = 4
    var detaches = false
    /// Whether descriptor 3 is told when programs can connect.
    var reports = false
    /// Text to show instead of running.
    var text: String?

    /// Throws what is wrong with the line.
    init(_ line: [String], variables: [String: String]) throws(UsageFault) {
        var folder: URL?
        var rest = line[...]
        while let word = rest.popFirst() {
            switch word {
            case "--help", "-h": text = Self.help
            case "--version": text = "godwit-transferd 0.1 (release \(TransferRelease.current))\n"
            case "--detach": detaches = true
            case "--report": reports = true
            case "--directory": folder = URL(filePath: try Self.value(&rest, word), directoryHint: .isDirectory)
            // Programs of release 1 name it; they are told by the folder alone.
            case "--socket-directory": _ = try Self.value(&rest, word)
            case "--idle": idle = try Self.number(&rest, word, in: 0...1e9)
            case "--parallel": parallel = Int(try Self.number(&rest, word, in: 1...64))
            default: throw UsageFault(reason: "there is no option \(word)")
            }
        }
        let own = folder.map { TransferPlaces(folder: $0) }
        places = own ?? (try? TransferPlaces(variables: variables))
    }

    private static func value(_ rest: inout ArraySlice<String>, _ name: String) throws(UsageFault) -> String {
        guard let value = rest.popFirst() else { throw UsageFault(reason: "\(name) needs a value") }
        return value
    }

    private static func number(
        _ rest: inout ArraySlice<String>, _ name: String, in range: ClosedRange<Double>
    ) throws(UsageFault) -> Double {
        guard let number = Double(try value(&rest, name)), range.contains(number) else {
            throw UsageFault(reason: "\(name) needs a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
        }
        return number
    }
}

/// What is wrong with a command line.
struct UsageFault: Error, Sendable {
    let reason: String
}
#endif
