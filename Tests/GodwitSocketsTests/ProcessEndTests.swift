import COpenSSL
import Glibc
import Godwit
import GodwitSockets
import Testing

@Suite("T2 the end of a process with event loops", .timeLimit(.minutes(15)))
struct ProcessEndTests {
    // Memory freed during a loop's work crashes or blocks the process one time in thirty. That it is freed shows every time.
    @Test("T2 a process exits while loops work, and OpenSSL frees nothing that they use")
    func exiting() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let transport = try SocketTransport()
            await #expect(throws: NetworkError.self) {
                try await transport.send(HTTPRequest(url: HTTPURL("https://127.0.0.1:1/")))
            }
            #expect(OPENSSL_atexit { _exit(1) } == 1)
            exit(0)
        }
    }
}
