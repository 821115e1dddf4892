import COpenSSL
import Glibc
import Godwit
import Testing

@Suite("T2 the end of a process with event loops", .timeLimit(.minutes(3)))
struct ProcessEndTests {
    // What is freed under a loop's thread crashes or blocks the process one time in thirty; that it is freed at all shows
    // each time.
    @Test("T2 a process exits while loops are at work, and OpenSSL takes nothing from under them")
    func exiting() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let transport = try CurlTransport()
            await #expect(throws: NetworkError.self) {
                try await transport.send(HTTPRequest(url: HTTPURL("http://127.0.0.1:1/")))
            }
            #expect(OPENSSL_atexit { _exit(1) } == 1)
            exit(0)
        }
    }
}
