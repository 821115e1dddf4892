import GodwitCore
import GodwitTesting
import Testing

@Suite("S2 pins of certificates")
struct CertificatePinTests {
    // Made with `openssl req -x509`.
    private static let rsa = """
        MIIB+DCCAWGgAwIBAgIUcwv9zRIO38fJqWwFRRzsgHnednEwDQYJKoZIhvcNAQELBQAwDjEMMAoGA1UEAwwDcnNhMB4XDTI2MTEy\
        MTE0MzgyOFoXDTM2MTExODE0MzgyOFowDjEMMAoGA1UEAwwDcnNhMIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDA4UZsCp2t\
        0dvnzLJkffQqdJpTKKJTrZ+GEEJzJ7vC70NUr658PJV4iTzQKXnXHrOOqJ8kZPnoCooha9g4TfL5a6eoj7welEJTHAILDXcJ/EjU\
        oW8SNV/wCg9Eoc6ktgbjq7AkxZc7vt2l2nfI+zz8Cn6Guu7tELePif2GNuMXxwIDAQABo1MwUTAdBgNVHQ4EFgQUF2+ls0lXjRcD\
        xlHPcwWkq3BFxeYwHwYDVR0jBBgwFoAUF2+ls0lXjRcDxlHPcwWkq3BFxeYwDwYDVR0TAQH/BAUwAwEB/zANBgkqhkiG9w0BAQsF\
        AAOBgQBS90OyBI+spzSmOiXsaiV41EhxJDRBqTUd2DWVAhty9yBO8vn1eS+3qQBQx6UMxvZD+1e6wq/Zb8Bz/N9GDOu8h51wL5Se\
        Lf86hiYDKHvzXkOuvfQD+n8Vzjn4Kba7DUT/r1MG6udl7asqLuRHt3SMYtKubVCAIns2cQvcMtJULw==
        """

    private static let ec = """
        MIIBbzCCARWgAwIBAgIULspp8LBtC7R3ZDzsicE5RtXri9UwCgYIKoZIzj0EAwIwDTELMAkGA1UEAwwCZWMwHhcNMjYxMTIxMTQz\
        ODI4WhcNMzYxMTE4MTQzODI4WjANMQswCQYDVQQDDAJlYzBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABAvtMbnT9bSVSVD/6j7X\
        0AcnPATuufhrxA6S9k4I8DCWNsjPLsvhdCzFhXxyOfeOSY7a2LPPZeP7+Hl9JL31IqWjUzBRMB0GA1UdDgQWBBRJKA9PhN4aL3+i\
        agd+ph5ZlTcBLjAfBgNVHSMEGDAWgBRJKA9PhN4aL3+iagd+ph5ZlTcBLjAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gA\
        MEUCIEmkX8y9M42Y6B0XTBxk+29hXMza1xp4QrXJc27zRWuSAiEAp5Za+/o9XnZS0gzNfx0OzglEvzwGQkBLSTQzYScVOgk=
        """

    private static let ed25519 = """
        MIIBODCB66ADAgECAhRT+PU84V5c0n86vVjDvRsxb5abATAFBgMrZXAwEjEQMA4GA1UEAwwHZWQyNTUxOTAeFw0yNjExMjExNDM4\
        MjlaFw0zNjExMTgxNDM4MjlaMBIxEDAOBgNVBAMMB2VkMjU1MTkwKjAFBgMrZXADIQA0vn4e/BHQt9uxPxrwFTlyWYLbUfugEHxP\
        PTH8VM1k/aNTMFEwHQYDVR0OBBYEFEj8uB2NEzJVUl34IlB5fDYzsR/PMB8GA1UdIwQYMBaAFEj8uB2NEzJVUl34IlB5fDYzsR/P\
        MA8GA1UdEwEB/wQFMAMBAf8wBQYDK2VwA0EAm6GZNsO+lJ4TLryut7rkyanZU+O1f2Mw05MpBo6HE62NyNbXRgMpYkKt0fENHg36\
        7Tz+rb8sjh3fqNFa/v6tCA==
        """

    @Test(
        "S2 the pin of a certificate equals OpenSSL's, for any kind of key",
        arguments: [
            (rsa, "0qdgmM4K7VtnVXeRfcy4oa7hy2kUPHPzvjoLvDvTDt4="), (ec, "ZMwzCVQv1CIUwh8VjgbzWrW11mJGJdTfv+kP8AwzHM0="),
            (ed25519, "fOqdB5k5FWJgYhduqfJ3eFtdHNd/nyxbcjC9sUTD6LA="),
        ])
    func pins(certificate: String, pin: String) throws {
        let data = try #require(Data(base64Encoded: certificate))
        #expect(Pin.key(ofCertificate: data) == .sha256(pin))
        // A part of a larger data, whose indices do not begin at 0.
        #expect(Pin.key(ofCertificate: (Data([1, 2]) + data).dropFirst(2)) == .sha256(pin))
    }

    @Test("S2 truncated or changed data is never read beyond its end", arguments: [rsa, ec])
    func damaged(certificate: String) throws {
        let data = try #require(Data(base64Encoded: certificate))
        for count in 0..<data.count { #expect(Pin.key(ofCertificate: data.prefix(count)) == nil) }
        var random = SeededGenerator(seed: 3)
        for _ in 0..<2000 {
            var changed = data
            let place = Int.random(in: 0..<changed.count, using: &random)
            changed[place] = UInt8.random(in: .min ... .max, using: &random)
            // Nothing to expect but that it comes back.
            _ = Pin.key(ofCertificate: changed)
        }
    }

    @Test("S2 other data has no pin", arguments: [[], [0x30], [0x30, 0x80], [0x30, 0x85, 0, 0, 0, 0, 1]])
    func noCertificate(bytes: [UInt8]) {
        #expect(Pin.key(ofCertificate: Data(bytes)) == nil)
    }
}
