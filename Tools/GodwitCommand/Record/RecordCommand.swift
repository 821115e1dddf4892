import Godwit
import GodwitTesting

/// Runs a proxy that records, until the command is interrupted.
struct RecordCommand {
    let arguments: RecordArguments
    let command: Command

    func run() async throws(CommandFailure) -> ExitCode {
        // Throws if the file exists and must be kept.
        _ = try FileDestination(arguments.file, existing: arguments.existingFile)
        var recording = HAROptions()
        recording.bodyLimit = 1 << 20
        recording.entryLimit = 1
        let recorder = HARRecorder(
            file: URL(filePath: arguments.file), options: recording, diagnostics: command.diagnostics)
        // Now, so that a file that can't be written is an error before anything is sent.
        try CommandFailure.network { () throws(NetworkError) in try recorder.flush() }
        let transport = try command.transport(for: arguments.access)
        let log = ServerLog()
        let proxy = RecordingProxy(Chain([recorder], over: transport), log)
        try await CommandFailure.run { () async throws(CommandFailure) in
            try await serve(proxy, log)
        } finally: {
            await transport.shutdown(.cancelling)
        }
        try CommandFailure.network { () throws(NetworkError) in try recorder.flush() }
        return .interrupted
    }

    private func serve(_ proxy: RecordingProxy, _ log: ServerLog) async throws(CommandFailure) {
        var options = MockServer.Options()
        options.address = .ipv4(port: arguments.port)
        options.bodyLimit = RecordingProxy.bodyLimit
        options.recordLimit = 0
        let complete = options
        let server = try await CommandFailure.network { () async throws(NetworkError) in
            try await MockServer(complete) { request in await proxy.answer(request) }
        }
        try await CommandFailure.run { () async throws(CommandFailure) in
            try await command.print(
                "\(server.url) records to \(arguments.file); use it as http_proxy (https passes through unseen)\n")
            try await log.print(to: command) {
                while (try? await Task.sleep(for: .seconds(3600))) != nil {}
            }
        } finally: {
            await server.stop()
        }
    }
}
