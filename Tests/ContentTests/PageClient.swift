import ContentAPIServer
import ContentReaderKit
import ContentReaderWeb
import Godwit
import GodwitUI
import TestSupport
import Testing

extension JSONValue {
    /// Whether there is a member other than null. Not by a comparison with nil, which is also a JSON value.
    func has(_ name: String) -> Bool {
        guard case .object(let members) = self, let member = members[name] else { return false }
        if case .null = member { return false } else { return true }
    }
    var isTrue: Bool { self == .bool(true) }
    var integer: Int? { if case .integer(let number) = self { Int(number) } else { nil } }
    var first: JSONValue? { if case .array(let values) = self { values.first } else { nil } }
    var count: Int { if case .array(let values) = self { values.count } else { 0 } }
}

/// What a browser does: it sends actions and reads the states.
@MainActor
struct PageClient {
    private let api: APIClient

    init(_ url: HTTPURL) {
        api = APIClient(baseURL: url)
    }

    /// A page of its own, without a user.
    static func with(
        _ options: ContentAPIServer.Options = .signedIn,
        _ test: (PageClient, ContentAPIServer, ReaderPage) async throws -> Void
    ) async throws {
        let server = try await ContentAPIServer(options)
        let folder = TemporaryFolder()
        let page = try await ReaderPage(baseURL: server.url, in: folder.url)
        try await test(PageClient(page.url), server, page)
        await page.stop()
        await server.stop()
    }

    /// Uploads a picture.
    func upload(_ picture: Data) async throws(NetworkError) {
        try await api.send(Endpoint<Void>.post("upload", body: .data(picture)))
    }

    /// The parts of the state, as one browser gets them.
    func parts() -> AsyncThrowingMapSequence<EventSource, (name: String, value: JSONValue)> {
        api.events(Endpoint<Void>.get("state")).map { event in
            (event.type, try JSONCoding().decode(JSONValue.self, from: Data(event.data.utf8)))
        }
    }

    func act(_ action: JSONValue) async throws(NetworkError) {
        try await api.send(Endpoint<Void>.post("action", body: .json(action)))
    }

    /// Signs in, and waits until the user is shown.
    func signIn() async throws {
        try await act(["action": "signIn", "login": ["name": "ada", "password": "tides"]])
        _ = try await state("account") { $0.has("name") }
    }

    /// Opens an article, and waits until it is loaded.
    func open(_ id: Int64) async throws {
        try await act(["action": "open", "id": .integer(id)])
        _ = try await state("article") { $0["canEdit"]?.isTrue == true }
    }

    /// Edits the open article.
    func save(_ title: String) async throws {
        try await edit()
        try await fillIn(title)
    }

    /// Opens the form of the open article.
    func edit() async throws {
        try await act(["action": "edit"])
        _ = try await state("editor") { $0.has("number") }
    }

    /// Fills the open form in, and saves it.
    func fillIn(_ title: String) async throws {
        try await act(["action": "save", "form": ["title": .string(title), "body": "Low.", "tagLine": "sea"]])
    }

    /// Waits until a part of the state is as expected, as a new browser sees it.
    func state(_ part: String, _ isExpected: (JSONValue) -> Bool) async throws -> JSONValue {
        for try await event in api.events(Endpoint<Void>.get("state")) where event.type == part {
            let value = try JSONCoding().decode(JSONValue.self, from: Data(event.data.utf8))
            if isExpected(value) { return value }
        }
        throw CancellationError()
    }
}

/// The error that an operation throws; `nil` if it throws none.
@MainActor
func failure(of operation: @MainActor () async throws -> Void) async -> NetworkError? {
    do {
        try await operation()
        return nil
    } catch {
        return error as? NetworkError
    }
}
