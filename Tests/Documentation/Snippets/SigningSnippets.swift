import Godwit
import GodwitSigning

enum SigningSnippets {
    static func messages(pem: String) throws -> APIClient {
        // snippet: message-signing
        let key = try SigningKey(pem: pem, id: "reader-2026")
        let api = APIClient(baseURL: "https://api.example.com/v1") {
            $0.attemptMiddleware.append(MessageSigning(key, for: "https://api.example.com"))
        }
        // end
        return api
    }

    static func options(key: SigningKey) -> MessageSigning {
        // snippet: signing-options
        let signing = MessageSigning(key, for: "https://api.example.com") {
            $0.components = [.method, .authority, .path, .queryParameter("page"), .field(.contentType)]
            $0.lifetime = .seconds(60)
            $0.hasNonce = true
            $0.tag = "reader"
        }
        // end
        return signing
    }

    static func verify(_ response: HTTPResponse, pem: String) throws {
        // snippet: verifying
        let key = try VerificationKey(pem: pem)
        for signature in try MessageSignature.all(in: response.head.fields) {
            try signature.verify(response, with: key, covering: [.status, .field(.contentDigest), .method.ofRequest])
        }
        // end
    }

    static func aws(id: String, secret: String) async throws -> (APIClient, HTTPURL) {
        // snippet: aws-signing
        let signer = AWSSigner(service: "s3", region: "eu-central-1") {
            AWSCredentials(accessKeyID: id, secretAccessKey: secret)
        }
        let api = APIClient(baseURL: "https://bucket.s3.eu-central-1.amazonaws.com") {
            $0.attemptMiddleware.append(AWSSigning(signer, for: "https://bucket.s3.eu-central-1.amazonaws.com"))
        }
        // end
        // snippet: presigned-url
        let link = try await signer.presignedURL(
            "https://bucket.s3.eu-central-1.amazonaws.com/tern.jpg", method: .put, expiresIn: .seconds(600))
        // end
        return (api, link)
    }
}
