#if os(Linux)
import Dispatch
import Godwit
import GodwitBackground
import GodwitLibc

/// The process `godwit-transferd`.
package enum TransferProgram {
    /// The descriptor on which the parent program waits for a report.
    private static let reportDescriptor: Int32 = 3

    /// Runs the command line of this process, and ends the process.
    package static func run() async -> Never {
        // Errors to report, which must not kill the process.
        for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
        let line = Array(CommandLine.arguments.dropFirst())
        let arguments: DaemonArguments
        do throws(UsageFault) {
            arguments = try DaemonArguments(line, variables: ProcessInfo.processInfo.environment)
        } catch {
            end("godwit-transferd: \(error.reason); see: godwit-transferd --help\n", to: STDERR_FILENO, code: 2)
        }
        if let text = arguments.text { end(text, to: STDOUT_FILENO, code: 0) }
        if arguments.detaches { detach(line, arguments) }
        let passed = PassedSockets.descriptors(ProcessInfo.processInfo.environment, process: getpid())
        cleanEnvironment()
        await serve(arguments, passed)
    }

    /// Removes the parent's environment, for libraries in this process and for child processes. No other thread runs yet.
    private static func cleanEnvironment() {
        let all = ProcessInfo.processInfo.environment
        let own = DaemonEnvironment.variables(of: all)
        for name in all.keys where own[name] == nil { unsetenv(name) }
        for (name, value) in own { setenv(name, value, 1) }
    }

    /// Starts the same program in a new session whose parent is init, and ends.
    private static func detach(_ line: [String], _ arguments: DaemonArguments) -> Never {
        // The new process must not keep the parent's files and pipes open.
        ChildProcess.keepDescriptors(from: reportDescriptor + 1)
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        // Passed by path, as the new process lacks the variables that define the folder.
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

    private static func serve(_ arguments: DaemonArguments, _ passedSockets: [Int32]) async -> Never {
        // So that no file system is busy because of this process.
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
        _ arguments: DaemonArguments, _ passedSockets: [Int32]
    ) throws(TransferService.Obstacle) -> TransferService {
        guard let places = arguments.places else {
            throw .failure("neither --directory nor HOME is set, so the folder for jobs is unknown")
        }
        let configuration = try ServiceConfiguration(places.configuration)
        let transport: SocketTransport
        do throws(NetworkError) {
            transport = try SocketTransport { $0.proxy = configuration.way }
        } catch {
            throw .failure(error.description)
        }
        var settings = TransferServiceSettings(places: places, transport: transport)
        // The parent program needs a moment to connect.
        settings.idleTime = .seconds(max(1, configuration.idleSeconds ?? arguments.idle))
        settings.parallelJobs = configuration.parallelJobs ?? arguments.parallel
        settings.passedSockets = passedSockets
        settings.makeTransport = { rules throws(NetworkError) in
            try SocketTransport {
                $0.tls = rules
                $0.proxy = configuration.way
            }
        }
        return try TransferService(settings)
    }

    /// Reports to the parent program whether it can connect; without one, writes errors to standard error.
    private static func report(_ text: String, _ arguments: DaemonArguments) {
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

/// The configuration in `transferd.json`, in the folder of the queue. It overrides the command line, which depends on the
/// program that started the process.
///
/// ```json
/// {"proxy": "http://proxy.example.com:3128", "noProxy": ["localhost", "intranet.example.com"], "parallelJobs": 2}
/// ```
struct ServiceConfiguration: Sendable, Hashable, Codable {
    /// The proxy for all jobs.
    var proxy: String?
    /// The hosts that are reached without the proxy.
    var noProxy: [String]?
    /// How many jobs run at once, 1 to 64.
    var parallelJobs: Int?
    /// How long the process stays idle before it ends, in seconds.
    var idleSeconds: Double?

    /// Reads the file, if it exists. Throws if it is not valid.
    init(_ file: URL) throws(TransferService.Obstacle) {
        do {
            guard let data = try PrivateFile(file).read() else { return }
            guard NestingDepth.isModest(data) else { throw TransferRefusal.invalid("too deep") }
            self = try JSONDecoder().decode(Self.self, from: data)
        } catch let error as NetworkError {
            throw .failure(error.description)
        } catch {
            throw .failure("\(file.path) is not a valid configuration; expected JSON such as {\"parallelJobs\": 2}")
        }
        if let fault { throw .failure("\(file.path): \(fault)") }
    }

    /// The proxy setting for transports. The environment doesn't count.
    var way: Proxy { proxy.map { .url($0, except: noProxy ?? []) } ?? .none }

    private var fault: String? {
        if let parallelJobs, !(1...64).contains(parallelJobs) { return "parallelJobs must be from 1 to 64" }
        if let idleSeconds, !(1...1e9).contains(idleSeconds) { return "idleSeconds must be from 1 to 1000000000" }
        return nil
    }
}
#endif
