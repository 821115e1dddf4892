import Godwit
import GodwitInspector

/// Runs `inspect` until the task is canceled.
struct InspectCommand {
    let arguments: InspectArguments
    let command: Command

    func run() async throws(CommandFailure) -> ExitCode {
        let page: InspectorPage
        let file: URL
        do throws(NetworkError) {
            page = try await InspectorPage(port: arguments.port)
            file = try page.publish(variables: command.environment.all)
        } catch {
            throw .network(error)
        }
        try await command.print("\(page.url.absoluteString)\n")
        await command.report("programs with $0.inspector = .local or GODWIT_INSPECT=1 appear on this page")
        if arguments.opensBrowser, !Browser.open(page.url) { await command.report("cannot open a browser") }
        // Only a canceled task ends the page.
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
        page.withdraw(file)
        await page.stop()
        return .interrupted
    }
}
