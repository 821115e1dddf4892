import Godwit

enum ConnectivitySnippets {
    static func watch(show: @Sendable (String) -> Void) async {
        // snippet: path
        for await path in SystemPathMonitor.shared.paths {
            show("\(path)")  // satisfied: wifi, cellular (expensive)
        }
        // end
    }

    static func client(_ transport: some HTTPTransport) -> APIClient {
        // snippet: connectivity
        let api = APIClient(baseURL: "https://api.example.com/v1", transport: transport) {
            $0.connectivity = .wait(upTo: .seconds(30))
        }
        // end
        return api
    }

    static func sync(_ api: APIClient) async throws {
        // snippet: waiting
        let sync = Endpoint<Void>.post("sync")
            .allowedNetworks([.expensive])  // no mobile network, none in low-data mode
            .waitsForConnectivity(upTo: .seconds(600))
            .onEvent { if case .waitingForConnectivity = $0 { print("waiting for a network") } }
        try await api.send(sync)
        // end
    }

    static func offline(_ api: APIClient) async throws {
        // snippet: offline
        do throws(NetworkError) {
            try await api.send(.export.connectivity(.failFast).allowedNetworks([]))
        } catch {
            guard case .offline(let reason) = error.kind else { throw error }
            print("not now: \(reason)")  // noPath, expensiveNotAllowed, …
        }
        // end
    }

    static func testing(_ transport: some HTTPTransport) async throws {
        // snippet: path-feed
        let feed = PathFeed(.unsatisfied)
        let chain = Chain([Connectivity(.wait(upTo: nil), monitor: feed)], over: transport)
        async let response = chain.send(HTTPRequest(url: HTTPURL("https://api.example.com/")))
        feed.update(NetworkPath(status: .satisfied, interfaces: [.wifi]))
        print(try await response.head.status)
        // end
    }

    static func adjusting() throws -> any PathMonitor {
        #if os(Linux)
        // snippet: path-adjust
        let monitor = try LinuxPathMonitor { path in
            if path.interfaces.first == .wired { path.isExpensive = false }
        }
        // end
        return monitor
        #else
        return SystemPathMonitor.shared
        #endif
    }

    static func search(_ api: APIClient, show: @escaping @Sendable ([Article]) -> Void) async throws {
        // snippet: debounce
        let search = Debounced(for: .milliseconds(300)) { (text: String) in
            try await api.send(Endpoint<[Article]>.get("articles", query: ["q": text]))
        }
        if let results = try await search("tides") { show(results) }  // nil: a later text took its place
        // end
    }
}
