import ContentAPIServer
import ContentReaderKit
import ContentReaderWeb
import Dispatch
import Godwit

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// `content-reader`: the tour of this library, against the example API.
@main
enum ContentReaderProgram {
    private static let usage = """
        Usage: content-reader [URL] [--help]
               content-reader --web [ARTICLES]
               content-reader --web URL FOLDER [online|offline]

        Shows what Godwit does, one line a step, and exits with 1 if a step isn't as
        expected. URL is what content-api prints; without it the example API
        runs inside this program.

          --web  serves the reader as a web page on 127.0.0.1 until SIGINT or SIGTERM,
                 and prints its address; with so many articles, 500 by default. With
                 URL, the user's data stays in FOLDER, also if the program is killed
        """

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.count, arguments.first) {
        case (0, _): await tourEmbedded()
        case (1, "--help"), (1, "-h"): print(usage)
        case (1, "--web"): await serve(articles: 500)
        case (2, "--web"):
            guard let count = Int(arguments[1]) else { stop(usage, code: 2) }
            await serve(articles: count)
        case (3...4, "--web"):
            guard let condition = SimulatedNetwork.Condition(rawValue: arguments.count == 4 ? arguments[3] : "online")
            else { stop(usage, code: 2) }
            await serve(arguments[1], URL(filePath: arguments[2]), condition)
        case (1, let url?) where !url.hasPrefix("-"): await tour(of: url, "running elsewhere")
        default: stop(usage, code: 2)
        }
    }

    /// Serves the page for an API in this program, whose data ends with it, as does the user's.
    private static func serve(articles: Int) async {
        var options = ContentAPIServer.Options()
        options.articleCount = articles
        options.access = .signedIn
        guard let folder = temporaryFolder() else { stop("content-reader: can't make a temporary folder", code: 1) }
        defer { try? FileManager.default.removeItem(at: folder) }
        do throws(NetworkError) {
            let server = try await ContentAPIServer(options)
            say("The API:    \(server.url)")
            await serve("\(server.url)", folder, .online)
            await server.stop()
        } catch {
            try? FileManager.default.removeItem(at: folder)
            stop("content-reader: \(error)", code: 1)
        }
    }

    /// A new folder that no other user can have prepared.
    static func temporaryFolder() -> URL? {
        let pattern = FileManager.default.temporaryDirectory.appending(path: "content-reader-XXXXXX").path
        var path = Array(pattern.utf8CString)
        guard mkdtemp(&path) != nil else { return nil }
        return URL(filePath: String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self))
    }

    /// Serves the page until the program is interrupted.
    @MainActor private static func serve(_ url: String, _ folder: URL, _ condition: SimulatedNetwork.Condition) async {
        do throws(NetworkError) {
            let page = try await ReaderPage(baseURL: url, in: folder, condition)
            say("The reader: \(page.url)")
            await interruption()
            await page.stop()
        } catch {
            stop("content-reader: \(error)", code: 1)
        }
    }

    /// Returns when the program gets SIGINT or SIGTERM.
    private static func interruption() async {
        let (signals, receive) = AsyncStream.makeStream(of: Void.self)
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { receive.yield() }
            source.resume()
            return source
        }
        for await _ in signals { break }
        for source in sources { source.cancel() }
    }

    private static func tourEmbedded() async {
        do throws(NetworkError) {
            let server = try await ContentAPIServer()
            await tour(of: "\(server.url)", "in this program")
        } catch {
            stop("content-reader: \(error)", code: 1)
        }
    }

    private static func tour(of url: String, _ place: String) async {
        let isSeen = isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil
        let text = TourText(isSeen ? .colored : .plain)
        say("A tour of Godwit against \(url) (\(place))\n")
        let outcomes = await Tour.run(baseURL: url, and: ProgramSteps.all) { say(text.line($0)) }
        say("\n" + text.summary(outcomes))
        if !outcomes.allSatisfy(\.isAsExpected) { exit(1) }
    }

    /// Prints a line immediately, even to a pipe.
    private static func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    private static func stop(_ message: String, code: Int32) -> Never {
        let line = Array((message + "\n").utf8)
        write(STDERR_FILENO, line, line.count)
        exit(code)
    }
}
