import CGodwitCurl
import GodwitTesting
import Testing

@testable import GodwitCurl
@testable import GodwitSockets

@Suite("What is sent again")
struct ResendingTests {
    private static let graceful = Resending.GoAway(lastStream: 5, code: 0)

    /// How often a request is sent again if each sending fails in the same way.
    private func resends(_ evidence: Resending.Evidence, isRepeatable: Bool = false) -> Int {
        var resending = Resending()
        for _ in 0..<1_000 {
            guard resending.decide(evidence, method: "POST", isRepeatable: isRepeatable) == .again else { break }
        }
        return resending.count
    }

    @Test("T11 what was not processed is sent again, a bounded number of times, whatever the method")
    func bounds() {
        #expect(resends(.refused(nil)) == 2)
        #expect(resends(.refused(Self.graceful)) == 100)
        #expect(resends(.refused(Resending.GoAway(lastStream: 0, code: 0))) == 1)
        #expect(resends(.refused(Resending.GoAway(lastStream: 9, code: 2))) == 1)
        #expect(resends(.unread) == 6)
        #expect(resends(.expectationFailed) == 1)
    }

    @Test("T11 ENHANCE_YOUR_CALM is not answered with another request", arguments: [false, true])
    func calm(_ isRepeatable: Bool) {
        #expect(resends(.refused(Resending.GoAway(lastStream: 9, code: 11)), isRepeatable: isRepeatable) == 0)
    }

    @Test("T11 what may have been processed is sent again only if that is safe")
    func unknown() {
        var resending = Resending()
        let decision = resending.decide(.unknown, method: "PATCH", isRepeatable: false)
        guard case .stop(let reason) = decision else {
            Issue.record("sent again")
            return
        }
        #expect(reason.contains("sending a PATCH again could repeat its effect"))
        let repeatable = resending.decide(.unknown, method: "PUT", isRepeatable: true)
        #expect(repeatable == .again)
    }

    private func closing(
        _ unacknowledged: UInt64, body: UInt64 = 0, end: godwit_peer_end = godwit_end_of_stream
    ) -> ClosedConnection {
        ClosedConnection(end: end, unacknowledged: unacknowledged, body: body, pieces: body > 0 ? 1 : 0)
    }

    @Test("T11 a request was not read if the server's end of stream left a byte of its head unacknowledged")
    func unread() {
        #expect(closing(101, body: 100).leftUnread(isEncrypted: false, message: ""))
        #expect(!closing(100, body: 100).leftUnread(isEncrypted: false, message: ""))
        #expect(closing(1, body: 0).leftUnread(isEncrypted: false, message: ""))
        #expect(!closing(300, body: 100, end: godwit_end_other).leftUnread(isEncrypted: false, message: "Broken pipe"))
    }

    @Test("T11 after a reset whose error is gone, libcurl's message tells whether the server had ended the stream")
    func resets() {
        for (message, isUnread) in [
            ("", false), ("OpenSSL SSL_write: Broken pipe, errno 32", true),
            ("OpenSSL SSL_read: unexpected eof while reading, errno 0", true),
            ("Recv failure: Connection reset by peer", false), ("SSL_read: errno 104", false),
        ] {
            let connection = closing(100, end: godwit_end_untold)
            #expect(connection.leftUnread(isEncrypted: false, message: message) == isUnread)
        }
    }

    @Test("T11 over TLS, the overhead of records is not taken for a head")
    func encrypted() {
        #expect(closing(161, body: 100).leftUnread(isEncrypted: true, message: ""))
        #expect(!closing(160, body: 100).leftUnread(isEncrypted: true, message: ""))
        #expect(!closing(31, body: 0).leftUnread(isEncrypted: true, message: ""))
    }

    @Test("T11 an upload moves if bytes leave libcurl, or the kernel's arrive")
    func uploads() {
        let looks: [(uploaded: Int64, acknowledged: UInt64, queued: UInt64, hasMoved: Bool)] = [
            (100, 10, 90, true), (100, 10, 90, false), (200, 10, 190, true), (200, 150, 50, true), (200, 200, 0, true),
            // From here on the acknowledgments are another exchange's.
            (200, 900, 100, false),
        ]
        var watch = UploadWatch()
        for look in looks {
            let kernel = UploadWatch.Progress.Kernel(acknowledged: look.acknowledged, queued: look.queued)
            let hasMoved = watch.hasMoved(UploadWatch.Progress(uploaded: look.uploaded, kernel: kernel, received: nil))
            #expect(hasMoved == look.hasMoved)
        }
    }

    @Test("T11 an upload moves too while what libcurl 8 still holds of it arrives, and no longer")
    func heldUploads() {
        var watch = UploadWatch()
        for (acknowledged, hasMoved) in [(UInt64(0), true), (40, true), (80, true), (80, false), (120, false)] {
            var progress = UploadWatch.Progress(uploaded: 80, kernel: nil, received: nil)
            progress.kernel = UploadWatch.Progress.Kernel(acknowledged: acknowledged, queued: 0)
            progress.held = 1_000
            #expect(watch.hasMoved(progress) == hasMoved)
        }
    }
}
