import GodwitCore
import GodwitURLSession
import Testing

@Suite("URLSession errors as NetworkError")
struct ConversionTests {
    @Test(
        "S1 joined lines of Set-Cookie are taken apart, at the commas between cookies alone",
        arguments: [
            ("a=1", ["a=1"]),
            ("a=1, b=2", ["a=1", "b=2"]),
            ("a=1,b=2", ["a=1", "b=2"]),
            ("a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT, b=2", ["a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT", "b=2"]),
            (
                "a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Path=/",
                ["a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Path=/"]
            ),
            ("a=x,y; Path=/", ["a=x,y; Path=/"]),
            ("a=\"x, y\"", ["a=\"x, y\""]),
            ("a=, b=", ["a=", "b="]),
            ("", []),
        ])
    func cookies(_ joined: String, _ lines: [String]) {
        #expect(SetCookieLines.split(joined) == lines)
    }

    @Test(
        "E1 every error of URLSession's has its kind",
        arguments: [
            (URLError.Code.cancelled, "cancelled"), (.timedOut, "timed_out.inactivity"),
            (.cannotFindHost, "transport.cannot_resolve_host"), (.dnsLookupFailed, "transport.cannot_resolve_host"),
            (.cannotConnectToHost, "transport.cannot_connect"), (.networkConnectionLost, "transport.connection_lost"),
            (.notConnectedToInternet, "offline"), (.dataNotAllowed, "offline"),
            (.badServerResponse, "invalid_response"), (.cannotParseResponse, "invalid_response"),
            (.unsupportedURL, "invalid_url"), (.serverCertificateHasBadDate, "insecure.certificate_expired"),
            (.serverCertificateUntrusted, "insecure.untrusted_certificate"),
            (.clientCertificateRequired, "insecure.client_certificate"),
            (.secureConnectionFailed, "insecure.handshake"), (.unknown, "transport.other"),
            (.appTransportSecurityRequiresSecureConnection, "insecure.plaintext"),
        ])
    func errors(_ code: URLError.Code, _ label: String) {
        let kind = SessionFailure.kind(of: URLError(code), host: "a.example")
        #expect(NetworkError(kind, phase: .sending).shortDescription == label)
    }

    @Test("E1 a server that closes without an answer is a lost connection, though Linux calls it a bad response")
    func noAnswer() {
        let error = URLError(.badServerResponse, userInfo: [NSLocalizedDescriptionKey: "Empty reply from server"])
        let kind = SessionFailure.kind(of: error, host: "a.example")
        #expect(kind == .transport(.connectionLost("Empty reply from server")))
    }

    @Test(
        "E1 where the code says nothing, libcurl's words do",
        arguments: [
            ("SSL certificate problem: certificate has expired", "insecure.certificate_expired"),
            ("SSL: no alternative certificate subject name matches target host name 'a'", "insecure.host_mismatch"),
            ("SSL certificate problem: unable to get local issuer certificate", "insecure.untrusted_certificate"),
            ("OpenSSL SSL_connect: SSL_ERROR_SYSCALL", "insecure.handshake"),
            ("transfer closed with 3 bytes remaining to read", "transport.connection_lost"),
            ("Failed writing header", "invalid_response"), ("something else", "transport.other"),
        ])
    func words(_ words: String, _ label: String) {
        let error = URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: words])
        let kind = SessionFailure.kind(of: error, host: "a.example")
        #expect(NetworkError(kind, phase: .sending).shortDescription == label)
    }
}
