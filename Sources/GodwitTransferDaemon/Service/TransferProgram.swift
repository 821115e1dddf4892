#if os(Linux)
import Dispatch
import Godwit
import GodwitBackground

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The process `godwit-transferd`.
package enum TransferProgram {
    /// Where the starting program waits for word.
    private static let reportDescriptor: Int32 = 3

    /// Runs the command line of this process, and ends the process.
    package static func run() async -> Never {
        signal(SIGPIPE, SIG_IGN)
        let line = Array(CommandLine.arguments.dropFirst())
        let arguments: TransferArguments
        do throws(UsageFault) {
            arguments = try TransferArguments(line, variables: ProcessInfo.processInfo.environment)
        } catch {
            end("godwit-transferd: \(error.reason); see: godwit-transferd --help\n", to: STDERR_FILENO, code: 2)
        }
        if let text = arguments.text { end(text, to: STDOUT_FILENO, code: 0) }
        if arguments.detaches { detach(line, arguments) }
        let passed = PassedSockets.descriptors(ProcessInfo.processInfo.environment, process: getpid())
        cleanEnvironment()
        await serve(arguments, passed)
    }

    /// Leaves nothing of the environment of whoever started this process, for libraries here and for programs that it
    /// starts. No other thread runs yet that could read it.
    private static func cleanEnvironment() {
        let all = ProcessInfo.processInfo.environment
        let own = DaemonEnvironment.variables(of: all)
        for name in all.keys where own[name] == nil { unsetenv(name) }
        for (name, value) in own { setenv(name, value, 1) }
    }

    /// Starts the same program in a session of its own, and ends: the new process has no parent but init.
    private static func detach(_ line: [String], _ arguments: TransferArguments) -> Never {
        // Descriptors that the starting program has left open; the new process must not keep its files and pipes.
        ChildProcess.keepDescriptors(from: reportDescriptor + 1)
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        // By its path: the new process has not the variables that the folder may come from.
        let folder = arguments.places.map { ["--directory", $0.folder.path] } ?? []
        let words = [program] + line.filter { $0 != "--detach" } + folder
        let variables = DaemonEnvironment.variables(of: ProcessInfo.processInfo.environment)
        var child = ChildProcess(words, variables: variables)
        child.leadsSession = true
        if fcntl(reportDescriptor, F_GETFD) >= 0 {
            child.descriptor = reportDescriptor
            child.words.append("--report")
        }
        let process = child.start()
        _exit(process == nil ? 1 : 0)
    }

    private static func serve(_ arguments: TransferArguments, _ passedSockets: [Int32]) async -> Never {
        // No file system is kept busy by its being there.
        chdir("/")
        let service: TransferService
        do throws(TransferService.Obstacle) {
            service = try makeService(arguments, passedSockets)
        } catch {
            switch error {
            case .isRunning: report("ready", arguments)
            case .failure(let reason): report(reason, arguments)
            }
            exit(error == .isRunning ? 0 : 1)
        }
        let signals = [SIGTERM, SIGINT, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { service.stop() }
            source.activate()
            return source
        }
        report("ready", arguments)
        await service.run()
        withExtendedLifetime(signals) {}
        exit(0)
    }

    private static func makeService(
        _ arguments: TransferArguments, _ passedSockets: [Int32]
    ) throws(TransferService.Obstacle) -> TransferService {
        guard let places = arguments.places else { throw .failure("neither --directory nor HOME says where jobs are") }
        let configuration = try ServiceConfiguration(places.configuration)
        let transport: CurlTransport
        do throws(NetworkError) {
            transport = try CurlTransport { $0.proxy = configuration.way }
        } catch {
            throw .failure(error.description)
        }
        var settings = TransferServiceSettings(places: places, transport: transport)
        // Whoever started it needs a moment to connect.
        settings.idleTime = .seconds(max(1, configuration.idleSeconds ?? arguments.idle))
        settings.parallelJobs = configuration.parallelJobs ?? arguments.parallel
        settings.passedSockets = passedSockets
        settings.makeTransport = { rules throws(NetworkError) in
            try CurlTransport {
                $0.tls = rules
                $0.proxy = configuration.way
            }
        }
        return try TransferService(settings)
    }

    /// Tells the program that waits for it whether it can connect; a person reads it on standard error.
    private static func report(_ text: String, _ arguments: TransferArguments) {
        guard arguments.reports else {
            if text != "ready" { put("godwit-transferd: \(text)\n", to: STDERR_FILENO) }
            return
        }
        put("\(text)\n", to: reportDescriptor)
        close(reportDescriptor)
    }

    private static func end(_ text: String, to stream: Int32, code: Int32) -> Never {
        put(text, to: stream)
        exit(code)
    }

    private static func put(_ text: String, to stream: Int32) {
        let bytes = Array(text.utf8)
        _ = write(stream, bytes, bytes.count)
    }
}

/// What the process is told in `transferd.json`, in the folder of the queue. It counts more than the command line, which
/// is that of the program that happened to start the process.
///
/// ```json
/// {"proxy": "http://proxy.example.com:3128", "noProxy": ["localhost", "intranet.example.com"], "parallelJobs": 2}
/// ```
struct ServiceConfiguration: Sendable, Hashable, Codable {
    /// The proxy that all jobs use; nil for none.
    var proxy: String?
    /// The hosts that are reached without it.
    var noProxy: [String]?
    /// How many jobs run at once, 1 to 64.
    var parallelJobs: Int?
    /// How long the process waits with nothing to do, in seconds.
    var idleSeconds: Double?

    /// Reads the file; the defaults where there is none. Throws what is wrong with it.
    init(_ file: URL) throws(TransferService.Obstacle) {
        do {
            guard let data = try PrivateFile(file).read() else { return }
            guard NestingDepth.isModest(data) else { throw TransferRefusal.invalid("too deep") }
            self = try JSONDecoder().decode(Self.self, from: data)
        } catch let error as NetworkError {
            throw .failure(error.description)
        } catch {
            throw .failure("\(file.path) is not a configuration; it holds JSON such as {\"parallelJobs\": 2}")
        }
        if let fault { throw .failure("\(file.path): \(fault)") }
    }

    /// How jobs get to their servers. The environment does not count.
    var way: Proxy { proxy.map { .url($0, except: noProxy ?? []) } ?? .none }

    private var fault: String? {
        if let parallelJobs, !(1...64).contains(parallelJobs) { return "parallelJobs is a number from 1 to 64" }
        if let idleSeconds, !(1...1e9).contains(idleSeconds) { return "idleSeconds is a number from 1 to 1000000000" }
        return nil
    }
}
#endif
