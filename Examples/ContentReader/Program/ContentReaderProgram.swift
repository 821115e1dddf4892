import ContentAPIServer
import ContentReaderKit
import ContentReaderWeb
import Godwit

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// `content-reader`: the tour of this library, against the example API.
@main
enum ContentReaderProgram {
    private static let usage = """
        Usage: content-reader [URL] [--help]
               content-reader --web [ARTICLES]

        Shows what Godwit does, one line a step, and ends with 1 if anything is not
        as it should be. URL is what content-api prints; without it the example API
        runs inside this program.

          --web  serves the reader as a web page on 127.0.0.1 until it is interrupted,
                 and prints its address; with so many articles, 500 by default
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
        case (1, let url?) where !url.hasPrefix("-"): await tour(of: url, "running elsewhere")
        default: stop(usage, code: 2)
        }
    }

    /// Serves the page until the program is interrupted.
    @MainActor private static func serve(articles: Int) async {
        var options = ContentAPIServer.Options()
        options.articleCount = articles
        options.access = .signedIn
        do throws(NetworkError) {
            let server = try await ContentAPIServer(options)
            let page = try await ReaderPage(baseURL: server.url)
            say("The reader: \(page.url)\nThe API:    \(server.url)")
            while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
            await page.stop()
            await server.stop()
        } catch {
            stop("content-reader: \(error)", code: 1)
        }
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
        let text = TourText(isSeen ? .coloured : .plain)
        say("A tour of Godwit against \(url) (\(place))\n")
        let outcomes = await Tour.run(baseURL: url) { say(text.line($0)) }
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
