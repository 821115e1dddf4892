import Godwit
import GodwitBackground

enum BackgroundSnippets {
    static func handOver(_ request: HTTPRequest, _ photos: URL, _ folder: URL) async throws {
        // snippet: background
        let session = BackgroundSession(identifier: "com.example.reader.sync")
        let film = try await session.download(request, to: folder)

        for try await event in session.events {
            switch event.outcome {
            case .downloaded(let file): print(event.job == film, file.path)
            case .uploaded(let status, let answer): print(status, answer.count)
            case .failed(let failure): print(failure.label, failure.reason)
            }
            try await session.acknowledge(event)
        }
        // end
    }

    static func options(_ request: HTTPRequest, _ file: URL, _ known: UUID) async throws {
        // snippet: background-options
        let session = BackgroundSession(identifier: "com.example.reader.sync") {
            $0.relaunch = ["/usr/bin/reader", "--background"]
            $0.plaintextHosts = ["nas.local"]
        }
        try await session.upload(request, fromFile: file) {
            $0.id = known  // handed over twice, it runs once
            $0.isDiscretionary = true
            $0.timeLimit = .seconds(86_400)
        }
        // end
    }

    static func rules(
        _ session: BackgroundSession, _ original: HTTPRequest, _ folder: URL, _ current: String, _ backup: String
    ) async throws {
        var request = original
        // snippet: background-rules
        request.options.redirects = .followUp(to: 3)
        try await session.download(request, to: folder) {
            $0.tls.authorities = URL(filePath: "/etc/corp-ca.pem")
            $0.tls.pins = [.sha256(current), .sha256(backup)]
            $0.tls.certificate = URL(filePath: "/etc/reader/client.pem")
            $0.tokenFile = URL(filePath: "/home/me/.config/reader/token.json")
            $0.parallelRanges = 4
        }
        // end
    }

    static func relaunched(_ session: BackgroundSession, _ store: (BackgroundEvent) -> Void) async throws {
        // snippet: background-relaunch
        for event in try await session.missedEvents() {
            store(event)
            try await session.acknowledge(event)
        }
        try await session.finish()
        // end
    }

    static func jobs(_ session: BackgroundSession) async throws {
        // snippet: background-jobs
        for job in try await session.jobs() where job.state == .running {
            print(job.url, job.progress.fraction ?? 0)
            try await session.pause(job.id)
        }
        // end
    }
    static func service() async throws {
        #if os(Linux)
        // snippet: background-service
        let status = try await BackgroundService().install()
        print(status.files, status.process ?? "not running", status.managerFault ?? "enabled")
        // end
        #endif
    }
}
