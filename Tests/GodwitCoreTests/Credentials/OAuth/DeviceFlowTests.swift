import GodwitCore
import GodwitOAuth
import GodwitTesting
import Testing

@Suite("A5 signing in on another device", .timeLimit(.minutes(15)))
struct DeviceFlowTests {
    private let clock = TestClock()

    private func oauth(_ answers: [MockResponse], interval: JSONValue = 5, lifetime: JSONValue = 60) throws -> OAuth2 {
        let mock = MockTransport {
            $0.post("/token").replies(answers)
            $0.post("/device").reply(json: [
                "device_code": "dc", "user_code": "WDJB-MJHT", "verification_uri": "https://auth.example.com/device",
                "expires_in": lifetime, "interval": interval,
            ])
        }
        let server = OAuthServer(
            tokenURL: try HTTPURL("https://auth.example.com/token"),
            deviceAuthorizationURL: try HTTPURL("https://auth.example.com/device"))
        return OAuth2(
            server, client: OAuthClient(id: "tv"), over: mock, clock: clock,
            now: { [clock] in Date(timeIntervalSince1970: clock.now.offset / .seconds(1)) })
    }

    /// Lets the flow ask until it has an outcome; how long it waited before each question, in seconds.
    private func waits(_ oauth: OAuth2, count: Int) async throws -> ([Double], Result<OAuthTokenResponse, NetworkError>)
    {
        let device = try await oauth.deviceAuthorization(scopes: ["a"])
        #expect(device.userCode == "WDJB-MJHT")
        #expect(device.verificationURL == "https://auth.example.com/device")
        let flow = Task { () async -> Result<OAuthTokenResponse, NetworkError> in
            do throws(NetworkError) { return .success(try await oauth.token(for: device)) } catch {
                return .failure(error)
            }
        }
        var waits: [Double] = []
        for _ in 0..<count {
            try await clock.waitForSleepers()
            waits.append(try #require(clock.advanceToNextSleeper()) / .seconds(1))
        }
        return (waits, await flow.value)
    }

    private static func refusal(_ code: String, _ status: HTTPStatus = .badRequest) -> MockResponse {
        .json(["error": .string(code)], status: status)
    }

    @Test(
        "A5 it polls at the server's interval, slower on request, and slower after a lost connection",
        arguments: [HTTPStatus.badRequest, .ok])
    func polling(status: HTTPStatus) async throws {
        let oauth = try oauth([
            Self.refusal("authorization_pending", status), Self.refusal("slow_down", status),
            Self.refusal("authorization_pending", status),
            .failure(.transport(.connectionLost("gone"))), .json(["access_token": "at"]),
        ])
        let (waits, result) = try await waits(oauth, count: 5)
        #expect(waits == [5, 5, 10, 10, 20])
        #expect(try result.get().token.access == "at")
    }

    @Test(
        "A5 a refusal, and codes that expire, are .unauthorized",
        arguments: [("access_denied", 1), ("expired_token", 1), ("authorization_pending", 6)],
        [HTTPStatus.badRequest, .ok])
    func refused(_ refusal: (code: String, count: Int), status: HTTPStatus) async throws {
        let (code, count) = refusal
        let oauth = try oauth([Self.refusal(code, status)], interval: 10)
        let (_, result) = try await waits(oauth, count: count)
        let error = #expect(throws: NetworkError.self) { try result.get() }
        #expect(error?.kind == .unauthorized)
        #expect((error?.underlying as? OAuthError)?.code == (count == 1 ? code : "expired_token"))
    }

    @Test(
        "A5 a server's invalid times are limited", arguments: ["nan", .integer(-5), .integer(1 << 60)] as [JSONValue])
    func senseless(value: JSONValue) async throws {
        let device = try await oauth([], interval: value, lifetime: value).deviceAuthorization()
        #expect((.zero ... .seconds(3600)).contains(device.interval))
        #expect((0...86_400).contains(device.expiry.timeIntervalSince1970))
    }

    @Test("A5 a canceled wait ends immediately")
    func cancelled() async throws {
        let oauth = try oauth([])
        let device = try await oauth.deviceAuthorization()
        let flow = Task { try await oauth.token(for: device) }
        try await clock.waitForSleepers()
        flow.cancel()
        let error = await #expect(throws: NetworkError.self) { try await flow.value }
        #expect(error?.kind == .cancelled)
    }
}
