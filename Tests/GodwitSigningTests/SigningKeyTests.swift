import Godwit
import GodwitSigning
import Testing

@Suite("Signing keys")
struct SigningKeyTests {
    @Test(
        "A8 a new key signs, and its public half verifies", arguments: [SignatureAlgorithm.ed25519, .ecdsaP256SHA256])
    func generated(algorithm: SignatureAlgorithm) throws {
        let key = try SigningKey.generate(algorithm, id: "new")
        let message = Data("tides".utf8)
        let signature = try key.signature(of: message)
        #expect(key.verificationKey.isValid(signature, of: message))
        #expect(!key.verificationKey.isValid(signature, of: Data("tide".utf8)))
        #expect(try !SigningKey.generate(algorithm).verificationKey.isValid(signature, of: message))
        let stored = try SigningKey(pem: try #require(key.pem), id: "new")
        #expect(stored.algorithm == algorithm)
        #expect(key.verificationKey.isValid(try stored.signature(of: message), of: message))
        let published = try VerificationKey(pem: try #require(key.verificationKey.pem))
        #expect(published.isValid(signature, of: message))
    }

    @Test("A8 public keys in PEM are those of the private ones")
    func published() throws {
        #expect(try VerificationKey(pem: RFC9421.p256Public) == RFC9421.key(.p256).verificationKey)
        #expect(try VerificationKey(pem: RFC9421.ed25519Public) == RFC9421.key(.ed25519).verificationKey)
        let pss = try VerificationKey(pem: RFC9421.rsaPSSPublic)
        #expect(pss.algorithm == .rsaPSSSHA512)
        #expect(pss.isValid(try RFC9421.key(.rsaPSS).signature(of: Data([1])), of: Data([1])))
    }

    @Test("A8 an RSA key signs with PSS by default, and with PKCS #1 if asked, but not a key for PSS")
    func rsa() throws {
        #expect(try SigningKey(pem: RFC9421.rsa).algorithm == .rsaPSSSHA512)
        #expect(try SigningKey(pem: RFC9421.rsa, algorithm: .rsaPKCS1SHA256).algorithm == .rsaPKCS1SHA256)
        #expect(throws: NetworkError.self) { try SigningKey(pem: RFC9421.rsaPSS, algorithm: .rsaPKCS1SHA256) }
        #expect(throws: NetworkError.self) { try SigningKey(pem: RFC9421.p256, algorithm: .ed25519) }
        #expect(throws: NetworkError.self) { try SigningKey.generate(.rsaPSSSHA512) }
    }

    /// Of `openssl`: 1024 bits of RSA, P-384, and P-256 with a password.
    private static let weak = """
        -----BEGIN PRIVATE KEY-----
        MIICdwIBADANBgkqhkiG9w0BAQEFAASCAmEwggJdAgEAAoGBAMGAYu4NXVugKRBR
        nIAFZ6r9SSsRU++SfrXmOtZFcGHbns0EWE/Rke1Z7OU+7+jgtJVcMraqt9JBnW/y
        KzhdsZW4ZMeJCRrdLPt+r0PKm2QJLf5hujciYh2p56GQ366U4Ur/GRWKLUDxHBRZ
        YBCNwzbWvZ96ndhTkOzCHtK9RLf/AgMBAAECgYEArxYgbg4hv1p4TY/K7/v0BcAR
        iKqxLEF97dFYw7EpMyKp2hBoaDDUvdN0iyoborhQLiWyrZ5jnhhJAJY7jVEZ8S9o
        JDXeQLKP4sfOWQiYbiIfz+wPhRHeFXAfYWO3WyNPst73ozYn0G5kb4UKG8Eo1pyd
        vMQI2Zog0NZr3y6vjgECQQDwNuIKAj4wfMN40f7gGvQn/F6hKC6mx5UtwZZs/VZZ
        cfFxGSNlzJXuCooA1IuTfDk2LDQHul8CEAvrJXnex1xBAkEAzjenlM79EOj5L34v
        8JdONoqzk5tNHh4eiRQy8nWlkImNrPfNnL2cdnNN5qwDvwKyPt0MVApsea0Jj7Ao
        a8QEPwJATCLZGhsD4xJoUk8c3aMtZ88RnzrBLpNrsQj+yKSzTb5TrGkvUwC5NK2a
        eBDl/GUPLSBtjVWA74JuhKVoLzg5AQJANpfZT7X0nTNwNLiNbH5CAIJ7xAoLQnvq
        zZOBYVrv9/HShgYccvBnqZwg9X54h2rpUWcnyl/wE85Rh661JMKB9QJBALqNcqVZ
        jtFa0auV8p1hdM2D5c5PLuryYejScecJTNI5Uxx/E+iESGb9rPr7Vg26U6NUs2Mt
        ZthPpIwMDRDWq8E=
        -----END PRIVATE KEY-----
        """
    private static let p384 = """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDDZjqqwOuqVydvlcDSt
        CUfv6aTT+gOiNk7B/JV+Y3A97VBIbEeiBlKjp/1TD4DB9OShZANiAARf5dcj3wO0
        wpmw/Tb2CQplw1B0v2AxITJDTyjzsJkhIuOhir3xh1zb6bKwyl7XsOch6SpzNhiK
        pGSOSZ++JF8kIG/lHlIHkFs4vLK/9BE95M7llKVHlhdbqj0p32j7yyk=
        -----END PRIVATE KEY-----
        """
    private static let encrypted = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAg6W8YOVDz61gICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEENIpwQRbxHw3pHEpyhcl+mMEgZDA
        ySk+VFJYk6Hkkky3XiQXXnVAlclvpb/ZA22sffAPo8MmsfcZztC+/uyAhi/QfVeZ
        YEPyaQqw01PQlkOepQXLGu5luWytfA3nZQICUhuDt8bj0Wx96YPN37Lez+otMdWI
        tKTg+b+jWbpT0Bg8IOKJ+e3KzK6di8+M3Qq9givF9bh5oBgLt+xrtCMyHQxa1Nw=
        -----END ENCRYPTED PRIVATE KEY-----
        """
    private static let traditional = """
        -----BEGIN EC PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-128-CBC,76EED69F3D87D3126C0E857915BB42B4

        hmcXiLWwGthG/jbKsiwZ1tZeGvQHOsk7JfWmtSL1sNUBpYWL/63/9cxM0EpChdk0
        5oE4yOaMmH61yyOmpK1Ooke7JPnNDCvrPLJOz7T4YeyOyEQ5BMBmoZrXaTAx4SPj
        ntnletoMPeb3sYwANdQP+EdsAQmlNRKH/+/x51YNeY4=
        -----END EC PRIVATE KEY-----
        """

    @Test(
        "A8 a key that can't be used is refused at once, without a question at the terminal",
        arguments: ["", "tides", RFC9421.p256Public, weak, p384, encrypted, traditional, "-----BEGIN PRIVATE KEY-----"])
    func unusable(pem: String) {
        let error = #expect(throws: NetworkError.self) { try SigningKey(pem: pem) }
        guard case .invalidRequest(let reason) = error?.kind else { Issue.record("\(error as Any)"); return }
        #expect(reason.hasPrefix("the signing key can't be used: "))
        #expect(throws: NetworkError.self) { try VerificationKey(pem: pem == RFC9421.p256Public ? "" : pem) }
    }

    @Test("A8 a shared secret verifies in constant time what it signed, and nothing else")
    func shared() {
        let key = SigningKey(sharedSecret: Data("secret-1".utf8), id: "k")
        let code = try? key.signature(of: Data("tides".utf8))
        #expect(key.verificationKey.isValid(code ?? Data(), of: Data("tides".utf8)))
        #expect(!key.verificationKey.isValid(Data(), of: Data("tides".utf8)))
        #expect(key.pem == nil && key.verificationKey.pem == nil)
    }

    @Test("A8 S6 no description of a key, of credentials or of a signer shows a secret")
    func descriptions() throws {
        let key = try RFC9421.key(.p256)
        let aws = AWSCredentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "hidden-1", sessionToken: "hidden-2")
        let shared = SigningKey(sharedSecret: Data("hidden-3".utf8))
        var text = "\(key) \(aws) \(shared) \(shared.verificationKey)"
        for value in [key, aws, shared, shared.verificationKey] as [Any] { dump(value, to: &text) }
        #expect(!text.contains("hidden") && !text.contains("MHcCAQEE") && !text.contains("104"))
        #expect("\(key)" == "SigningKey(ecdsa-p256-sha256, test-key-ecc-p256, <redacted>)")
        #expect("\(aws)" == "AWSCredentials(AKIDEXAMPLE, <redacted>)")
    }
}
