import Foundation
import PackagePlugin

/// `swift package generate-client …`: runs `godwit generate` in the package, with the version of Godwit that the package uses.
@main
struct GenerateClient: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let process = Process()
        process.executableURL = try context.tool(named: "generate-client-tool").url
        process.arguments = ["generate"] + arguments
        process.currentDirectoryURL = context.package.directoryURL
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(code: process.terminationStatus) }
    }
}

/// The command has printed why.
private struct Failure: Error, CustomStringConvertible {
    let code: Int32

    var description: String { "godwit generate exited with \(code); docs/generate.md lists the codes" }
}
