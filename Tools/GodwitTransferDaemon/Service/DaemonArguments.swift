#if os(Linux)
import GodwitBackground
import GodwitSupport

/// The command line of `godwit-transferd`.
struct DaemonArguments: Sendable {
    static let help = """
        Usage: godwit-transferd [OPTION…]

        Transfers files for the programs of one user that use Godwit's BackgroundSession. These programs start it.
        Ends when its queue is empty.

          --directory DIR   folder of the queue, lock, log and socket (default: $XDG_STATE_HOME/godwit, else
                            ~/.local/state/godwit)
          --idle SECONDS    end after this time without work (default: 60)
          --parallel N      run up to N jobs at once, 1 to 64 (default: 4)
          --detach          run in the background, in a new session
          --help, --version

        SIGTERM ends it; the next process continues its jobs. Sockets passed by systemd (LISTEN_FDS) are used.
        It ignores proxies and other settings in its environment. DIR/transferd.json can set a proxy:
          {"proxy": "http://proxy.example.com:3128", "noProxy": ["localhost"], "parallelJobs": 4, "idleSeconds": 60}

        """

    var places: TransferPlaces?
    var idle = 60.0
    var parallel = 4
    var detaches = false
    /// Whether to report on descriptor 3 when programs can connect.
    var reports = false
    /// Text to print instead of running.
    var text: String?

    /// Throws if the command line is not valid.
    init(_ line: [String], variables: [String: String]) throws(UsageFault) {
        var folder: URL?
        var rest = line[...]
        while let word = rest.popFirst() {
            switch word {
            case "--help", "-h": text = Self.help
            case "--version": text = "godwit-transferd \(LibraryVersion.current) (release \(TransferRelease.current))\n"
            case "--detach": detaches = true
            case "--report": reports = true
            case "--directory": folder = URL(filePath: try Self.value(&rest, word), directoryHint: .isDirectory)
            // Passed by programs of release 1, and ignored.
            case "--socket-directory": _ = try Self.value(&rest, word)
            case "--idle": idle = try Self.number(&rest, word, in: 0...1e9)
            case "--parallel": parallel = Int(try Self.number(&rest, word, in: 1...64))
            default: throw UsageFault(reason: "unknown option \(word)")
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

/// Why a command line is not valid.
struct UsageFault: Error, Sendable {
    let reason: String
}
#endif
