#if os(Linux)
import Godwit
import Testing

/// Each test runs a suite of this bundle in a process of its own: where a session's bus is, and whether there is one,
/// is a matter of a process's environment.
@Suite("A2 the Secret Service", .timeLimit(.minutes(15)))
struct SecretServiceTests {
    @Test(
        "A2 a real keyring on a separate bus stores and deletes tokens",
        .enabled(if: ChildTests.canFind(["dbus-run-session", "gnome-keyring-daemon"]), "needs script/setup --servers"))
    func keyring() async throws {
        let unlocked = "printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null && exec \"$0\" \"$@\""
        let child = try ChildTests(
            running: "KeyringSession", under: ["dbus-run-session", "--", "/bin/sh", "-c", unlocked],
            environment: ["GODWIT_TEST_KEYRING=unlocked"])
        let (code, output) = await child.outcome()
        #expect(code == 0 && output.contains("A2 a saved token can be loaded"), "\(output)")
    }

    @Test("A2 without a bus, calls throw an error that names what is missing")
    func missingService() async throws {
        let child = try ChildTests(
            running: "MissingKeyring", under: [],
            environment: ["DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent", "GODWIT_TEST_KEYRING=missing"])
        let (code, output) = await child.outcome()
        #expect(code == 0 && output.contains("A2 without a service, every call fails"), "\(output)")
    }

    @Test("A2 without the library, calls throw an error that names what is missing")
    func missingLibrary() throws {
        let error = #expect(throws: TokenStoreError.self) { try LibSecret(named: "libsecret-none.so") }
        guard case .unavailable("libsecret", let reason) = error else { Issue.record("\(error as Any)"); return }
        #expect(reason.contains("libsecret-none.so"))
        // A library that is there, and is another.
        let other = #expect(throws: TokenStoreError.self) { try LibSecret(named: "libc.so.6") }
        #expect(
            other == .unavailable(service: "libsecret", reason: "it has no secret_password_storev_sync"))
    }
}

@Suite("A2 in a session with a keyring", .enabled(if: ChildTests.role == "unlocked", "run by SecretServiceTests"))
struct KeyringSession {
    private let token = AccessToken(
        access: "s3cret ü \"quoted\"", refresh: "r", expiry: Date(timeIntervalSince1970: 1_234_567.5), type: "DPoP")

    private func store(_ account: String = #function) -> SecretServiceTokenStore {
        SecretServiceTokenStore(service: "org.example.godwit", account: account)
    }

    @Test("A2 a saved token can be loaded, by another store too")
    func saved() async throws {
        #expect(try await store().load() == nil)
        try await store().save(token)
        #expect(try await store().load() == token)
    }

    @Test("A2 a token replaces the previous one")
    func replaced() async throws {
        try await store().save(AccessToken(access: "old"))
        try await store().save(token)
        #expect(try await store().load() == token)
    }

    @Test("A2 a cleared token is gone, and clearing nothing succeeds")
    func cleared() async throws {
        try await store().save(token)
        try await store().clear()
        #expect(try await store().load() == nil)
        try await store().clear()
    }

    @Test("A2 accounts and services have separate tokens")
    func apart() async throws {
        try await store("ann").save(token)
        #expect(try await store("bob").load() == nil)
        #expect(try await SecretServiceTokenStore(service: "org.example.other", account: "ann").load() == nil)
    }

    @Test("A2 a refresher stores its token in the keyring")
    func refresher() async throws {
        try await store().save(AccessToken(access: "old", refresh: "r", expiry: Date(timeIntervalSince1970: 1)))
        let tokens = TokenRefresher(store: store()) { _ in AccessToken(access: "new", refresh: "r2") }
        #expect(try await tokens.token().access == "new")
        try await tokens.signIn(token)
        #expect(try await store().load() == token)
        try await tokens.signOut()
        #expect(try await store().load() == nil)
    }

    @Test("A2 concurrent calls")
    func many() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<20 {
                group.addTask {
                    let token = AccessToken(access: "\(index)")
                    try await store("many-\(index)").save(token)
                    #expect(try await store("many-\(index)").load() == token)
                }
            }
            try await group.waitForAll()
        }
    }
}

@Suite("A2 in a session without a keyring", .enabled(if: ChildTests.role == "missing", "run by SecretServiceTests"))
struct MissingKeyring {
    @Test("A2 without a service, every call fails and says so")
    func calls() async throws {
        let store = SecretServiceTokenStore(service: "org.example.godwit", account: "ann")
        let errors = [
            await #expect(throws: TokenStoreError.self) { try await store.load() },
            await #expect(throws: TokenStoreError.self) { try await store.save(AccessToken(access: "s3cret")) },
            await #expect(throws: TokenStoreError.self) { try await store.clear() },
        ]
        for error in errors {
            guard case .unavailable("the Secret Service", _) = error else { Issue.record("\(error as Any)"); return }
        }
    }
}
#endif
