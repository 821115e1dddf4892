#if os(Linux)
import GodwitBackground

/// The command line of `godwit-transferd`.
struct TransferArguments: Sendable {
    static let help = """
        Usage: godwit-transferd [OPTION…]

        Transfers files for the programs of one user that use Godwit's BackgroundSession, which start it by themselves.
        Ends when nothing is left to do.

          --directory DIR         queue, lock and log; by default $XDG_STATE_HOME/godwit, else ~/.local/state/godwit
          --socket-directory DIR  the socket; by default $XDG_RUNTIME_DIR/godwit, and where DIR is given the same
          --idle SECONDS          how long it waits with nothing to do; 60 by default
          --parallel N            how many jobs run at once, 1 to 64; 4 by default
          --detach                goes on in a session of its own, and returns
          --help, --version

        SIGTERM ends it; what is under way is taken up by the next one.

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
        var (folder, socketFolder): (URL?, URL?)
        var rest = line[...]
        while let word = rest.popFirst() {
            switch word {
            case "--help", "-h": text = Self.help
            case "--version": text = "godwit-transferd 0.1\n"
            case "--detach": detaches = true
            case "--report": reports = true
            case "--directory": folder = URL(filePath: try Self.value(&rest, word), directoryHint: .isDirectory)
            case "--socket-directory":
                socketFolder = URL(filePath: try Self.value(&rest, word), directoryHint: .isDirectory)
            case "--idle": idle = try Self.number(&rest, word, in: 0...1e9)
            case "--parallel": parallel = Int(try Self.number(&rest, word, in: 1...64))
            default: throw UsageFault(reason: "there is no option \(word)")
            }
        }
        let own = folder.map { TransferPlaces(folder: $0, socketFolder: socketFolder ?? $0) }
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
