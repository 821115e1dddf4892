import Godwit
import GodwitTesting
import PeerSupport
import Testing

extension BadNetwork {
    /// Requests over HTTP/2 that the server did not process, or may have processed.
    @Suite("Unprocessed over HTTP/2", .enabled(if: H2Peer.isAvailable, H2Peer.hint), .serialized)
    struct Unprocessed {
        private static func post(_ url: HTTPURL) -> HTTPRequest { .upload("content", to: url, .post) }
        private static func get(_ url: HTTPURL) -> HTTPRequest { .get(url) }

        /// Sends requests one after the other over one transport, the first of them to an ordinary path.
        private func send(
            _ subject: Subject, _ peer: H2Peer, _ request: @Sendable (HTTPURL) -> HTTPRequest, to path: String
        ) async throws -> NetworkError? {
            let transport = try subject.makeTrusting()
            _ = try await transport.get(HTTPURL(peer.secure + "/ok?id=first"))
            let failure = await transport.failure(of: try request(HTTPURL(peer.secure + path)))
            await transport.shutdown(.cancelling)
            return failure
        }

        @Test(
            "T11 what a GOAWAY or REFUSED_STREAM left unprocessed is sent again, once", arguments: Subject.allCases,
            ["/goaway", "/goaway0", "/refused"])
        func again(_ subject: Subject, _ path: String) async throws {
            for request in [Self.post, Self.get] {
                let peer = try H2Peer()
                #expect(try await send(subject, peer, request, to: path + "?id=x") == nil)
                let count = try await peer.count()
                #expect(count.processed == 2 && count.twice == 0)
                #expect(count.seen == 3)
            }
        }

        @Test(
            "T11 the first request of a connection is sent again too", arguments: Subject.allCases,
            ["/goaway0", "/refused"])
        func first(_ subject: Subject, _ path: String) async throws {
            let peer = try H2Peer()
            let transport = try subject.makeTrusting()
            let answer = try await transport.send(Self.post(HTTPURL(peer.secure + path + "?id=x")))
            #expect(try await text(of: answer) == "ok")
            #expect(try await peer.count().seen == 2)
        }

        @Test(
            "T11 a server that always refuses gets a bounded number of requests", arguments: Subject.allCases,
            [("/goaway0", 2), ("/refused", 3)])
        func bounded(_ subject: Subject, _ fault: (path: String, sendings: Int)) async throws {
            let peer = try H2Peer()
            let error = try #require(
                try await send(subject, peer, Self.post, to: fault.path + "?id=x&times=1000"))
            #expect(error.shortDescription == "transport.connection_lost")
            #expect(error.description.contains("without processing it"))
            let count = try await peer.count()
            #expect(count.seen == 1 + fault.sendings && count.processed == 1)
        }

        @Test("T11 ENHANCE_YOUR_CALM does not loop", arguments: Subject.allCases)
        func calm(_ subject: Subject) async throws {
            for request in [Self.post, Self.get] {
                for path in ["/goaway?id=x&times=1000&code=11", "/refused?id=x&times=1000&code=11"] {
                    let peer = try H2Peer()
                    #expect(try await send(subject, peer, request, to: path) != nil)
                    #expect(try await peer.count().seen == 2)
                }
            }
        }

        @Test(
            "T11 a POST that may have been processed is not sent again, and the error says why",
            arguments: Subject.allCases,
            ["/processed-goaway", "/close", "/garbage", "/reset-head?code=2", "/reset-head?code=0"])
        func processed(_ subject: Subject, _ path: String) async throws {
            let peer = try H2Peer()
            let url = path + (path.contains("?") ? "&" : "?") + "id=x"
            let error = try #require(try await send(subject, peer, Self.post, to: url))
            #expect(!error.description.contains("kept connection"))
            let count = try await peer.count()
            #expect(count.processed == 2 && count.twice == 0, "\(error)")
        }

        @Test("T11 a stream is sent again only if it was not read", arguments: Subject.allCases)
        func streams(_ subject: Subject) async throws {
            let peer = try H2Peer()
            let once = HTTPBody.stream(once: Chunks(["content"]), length: 7)
            let error = try await send(subject, peer, { .upload(once, to: $0, .post) }, to: "/refused?id=a")
            #expect(error == nil || error?.shortDescription == "transport.cannot_send_body")
            let again = HTTPBody.stream { Chunks(["content"]) }
            #expect(try await send(subject, peer, { .upload(again, to: $0, .post) }, to: "/refused?id=b") == nil)
            #expect(try await peer.count().twice <= 1)
        }

        @Test("T11 streams below the last one of a GOAWAY are finished", arguments: Subject.allCases)
        func finished(_ subject: Subject) async throws {
            let peer = try H2Peer("--delay", "300")
            let transport = try subject.makeTrusting()
            _ = try await transport.get(HTTPURL(peer.secure + "/ok?id=first"))
            await withTaskGroup(of: NetworkError?.self) { group in
                for number in 0..<20 {
                    let path = number == 10 ? "/finish" : "/ok"
                    group.addTask {
                        guard let url = try? HTTPURL("\(peer.secure)\(path)?id=\(number)") else { return nil }
                        return await transport.failure(of: Self.post(url))
                    }
                }
                for await failure in group { #expect(failure == nil) }
            }
            let count = try await peer.count()
            #expect(count.distinct == 21 && count.twice == 0)
        }

        @Test("T11 one stream at a time, and windows of one byte", arguments: Subject.allCases)
        func narrow(_ subject: Subject) async throws {
            let peer = try H2Peer("--streams", "1", "--window", "1")
            let transport = try subject.makeTrusting()
            // The first exchange brings the server's settings: before them, a client may open more streams than one.
            let first = try HTTPURL("\(peer.secure)/ok?id=20")
            #expect(await transport.failure(of: Self.post(first)) == nil)
            await withTaskGroup(of: NetworkError?.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        guard let url = try? HTTPURL("\(peer.secure)/ok?id=\(number)") else { return nil }
                        return await transport.failure(of: Self.post(url))
                    }
                }
                for await failure in group { #expect(failure == nil) }
            }
            let count = try await peer.count()
            #expect(count.distinct == 21 && count.twice == 0)
        }
    }
}
