import Foundation
import Godwit
import GodwitSigning
import RealServerSupport
import Testing

// snippet: guide-s3-model
/// A page of a bucket's keys. S3 answers in XML, of which a list needs two elements.
nonisolated struct KeyPage: CursorPage, Sendable {
    var items: [String]
    var nextCursor: String?

    init(xml: String) {
        items = Self.texts("Key", in: xml)
        nextCursor = Self.texts("NextContinuationToken", in: xml).first
    }

    static func texts(_ name: String, in xml: String) -> [String] {
        xml.split(separator: "<\(name)>").dropFirst().compactMap { element in
            element.split(separator: "</\(name)>").first.map {
                String($0).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
                    .replacing("&amp;", with: "&")
            }
        }
    }
}

nonisolated extension Endpoint<KeyPage> {
    static func keys(prefix: String, after cursor: String?) -> Self {
        Endpoint(
            method: .get, path: "",
            query: ["list-type": 2, "prefix": prefix, "max-keys": 100, "continuation-token": cursor],
            accept: "application/xml"
        ) { data, _, _ in KeyPage(xml: String(decoding: data, as: UTF8.self)) }
    }
}
// end

/// S3 has refused to put the parts together.
private struct UploadFailed: Error {
    let answer: String
}

extension RealServer.Program {
    fileprivate static let moto = python(["-m", "moto.server"], package: "moto")
}

@Suite("S3 and STS, by moto", .enabled(if: RealServer.isInstalled(.moto), "script/setup --servers"))
struct S3Tests {
    /// The server checks every signature and permission after the first four requests, which make a user.
    private struct Account {
        let server: RealServer
        let credentials: AWSCredentials

        init() async throws {
            server = try await RealServer(.moto, environment: ["INITIAL_NO_AUTH_ACTION_COUNT": "3"]) {
                place in
                ["-H", "127.0.0.1", "-p", "\(place.port)"]
            }
            let root = AWSCredentials(accessKeyID: "root", secretAccessKey: "root")
            let iam = Self.client(server.url, "iam", root)
            _ = try await iam.send(Self.action("CreateUser", ["UserName": "ann"]))
            let policy =
                #"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":["s3:*","sts:*"],"Resource":"*"}]}"#
            _ = try await iam.send(
                Self.action("PutUserPolicy", ["UserName": "ann", "PolicyName": "all", "PolicyDocument": policy]))
            let key = try await iam.send(Self.action("CreateAccessKey", ["UserName": "ann"]))
            credentials = AWSCredentials(
                accessKeyID: try #require(KeyPage.texts("AccessKeyId", in: key).first),
                secretAccessKey: try #require(KeyPage.texts("SecretAccessKey", in: key).first))
        }

        static func client(
            _ url: String, _ service: String, _ credentials: AWSCredentials, path: String = ""
        ) -> APIClient {
            // snippet: guide-s3
            let signer = AWSSigner(service: service, region: "us-east-1") { credentials }
            let api = APIClient(baseURL: url + path) { $0.attemptMiddleware.append(AWSSigning(signer, for: url)) }
            // end
            return api
        }

        func client(_ service: String, path: String = "") -> APIClient {
            Self.client(server.url, service, credentials, path: path)
        }

        static func action(_ name: String, _ parameters: KeyValuePairs<String, String> = [:]) -> Endpoint<String> {
            var form: QueryItems = ["Action": name, "Version": "2010-05-08"]
            for (name, value) in parameters { form.append(name, value) }
            return .post("", body: .form(form))
        }
    }

    private static func content(mebibytes: Int) -> Data {
        (0..<mebibytes).reduce(into: Data()) { $0.append(Data(repeating: UInt8($1), count: 1 << 20)) }
    }

    @Test("objects are put, read in ranges, listed in pages and deleted, each signed: A8, P1", .timeLimit(.minutes(15)))
    func objects() async throws {
        let account = try await Account()
        let store = account.client("s3", path: "/films/")
        try await store.send(Endpoint<Void>.put(""))
        let film = Self.content(mebibytes: 3)
        // With every kind of character that can be spelled in several ways.
        let key = "birds/wader é+~(1) & co.mov"
        try await store.send(Endpoint<Void>.put("\(key)", body: .data(film)))
        #expect(
            try await store.send(Endpoint<Data>.get("\(key)").header(.range, "bytes=10-19").accepting(.partialContent))
                == film[10..<20])
        let file = account.server.place.folder.appending(path: "film.mov")
        _ = try await store.download(Endpoint<Void>.get("\(key)"), to: file) { $0.parallelRanges = 3 }.file
        #expect(try Data(contentsOf: file) == film)

        for number in 0..<250 { try await store.send(Endpoint<Void>.put("rows/\(number)", body: .text("\(number)"))) }
        var keys: [String] = []
        for try await key in store.pages(.cursor { .keys(prefix: "rows/", after: $0) }).elements { keys.append(key) }
        #expect(keys.count == 250 && Set(keys).contains("rows/249"))
        keys = []
        for try await key in store.pages(.cursor { .keys(prefix: "birds/", after: $0) }).elements { keys.append(key) }
        #expect(keys == [key])
        try await store.send(Endpoint<Void>.delete("rows/249"))
        #expect(
            await store.result(of: Endpoint<Data>.get("rows/249")).failure?.userMessage
                == "The specified key does not exist.")
        await account.server.stop()
    }

    /// What a process needs that uploads and is killed.
    private struct KilledUpload: Codable, Sendable {
        let url, id, key, secret: String
        let film: URL
        let ticket: URL
    }

    @Test("64 MiB in parts, killed in the middle, are resumed by another process: B10, A8", .timeLimit(.minutes(15)))
    func parts() async throws {
        let account = try await Account()
        let store = account.client("s3", path: "/films/")
        try await store.send(Endpoint<Void>.put(""))
        let film = account.server.place.folder.appending(path: "film.bin")
        let content = Self.content(mebibytes: 64)
        try content.write(to: film)

        let started = try await store.send(Endpoint<String>.post("film", query: ["uploads": ""]))
        let job = KilledUpload(
            url: account.server.url, id: try #require(KeyPage.texts("UploadId", in: started).first),
            key: account.credentials.accessKeyID, secret: account.credentials.secretAccessKey, film: film,
            ticket: account.server.place.folder.appending(path: "film.ticket"))
        await #expect(processExitsWith: .signal(SIGKILL)) { [job = job as KilledUpload] in
            let credentials = AWSCredentials(accessKeyID: job.key, secretAccessKey: job.secret)
            let store = Account.client(job.url, "s3", credentials, path: "/films/")
            let target = S3Tests.uploadTarget(store, job.id, job.url)
            let upload = store.upload(
                job.film,
                to: .parts(target) {
                    $0.ticketFile = job.ticket
                    // So that what was sent tells which parts have arrived.
                    $0.parallelParts = 1
                    $0.progressInterval = .zero
                })
            for await progress in upload.progress where progress.completed >= 24 << 20 { break }
            kill(getpid(), SIGKILL)
        }
        let ticket = try UploadTicket(contentsOf: job.ticket)
        #expect(ticket.offset >= 8 << 20 && ticket.offset < 64 << 20)
        let done = try await store.resume(ticket, parts: Self.uploadTarget(store, job.id, job.url)).value
        #expect(done.contains("CompleteMultipartUploadResult"))
        #expect(try await store.send(Endpoint<Data>.get("film").responseLimit(128 << 20)) == content)
        #expect(!FileManager.default.fileExists(atPath: job.ticket.path))
        await account.server.stop()
    }

    private static func uploadTarget(_ store: APIClient, _ id: String, _ url: String) -> UploadParts<String> {
        // snippet: guide-s3-parts
        UploadParts(partSize: 8 << 20) { part in
            try store.request(for: Endpoint<Void>.put("film", query: ["partNumber": part.number, "uploadId": id]))
        } complete: { finished in
            let list = finished.map { "<Part><PartNumber>\($0.number)</PartNumber><ETag>\($0.etag)</ETag></Part>" }
            let body = "<CompleteMultipartUpload>\(list.joined())</CompleteMultipartUpload>"
            let answer: String = try await store.send(.post("film", query: ["uploadId": id], body: .text(body)))
            // S3 can answer 200 with an error in the body.
            guard answer.contains("<CompleteMultipartUploadResult") else { throw UploadFailed(answer: answer) }
            return answer
        } abort: {
            try? await store.send(Endpoint<Void>.delete("film", query: ["uploadId": id]))
        }
        // end
    }

    @Test("a presigned URL needs nothing else: A8", .timeLimit(.minutes(15)))
    func presigned() async throws {
        // With its checks on, moto wants a field `Authorization`.
        let server = try await RealServer(.moto) { place in ["-H", "127.0.0.1", "-p", "\(place.port)"] }
        let (url, credentials) = (server.url, AWSCredentials(accessKeyID: "AKIAANN", secretAccessKey: "secret"))
        try await Account.client(server.url, "s3", credentials, path: "/films/").send(Endpoint<Void>.put(""))
        let signer = AWSSigner(service: "s3", region: "us-east-1") { credentials }
        let anyone = APIClient(baseURL: url)
        var put = HTTPRequest(method: .put, url: try await signer.presignedURL("\(url)/films/a%20b.txt", method: .put))
        put.body = .bytes(Data("ebb".utf8))
        #expect(try await anyone.send(put).head.status == .ok)
        let link = try await signer.presignedURL("\(url)/films/a%20b.txt", expiresIn: .seconds(60))
        #expect(try await anyone.send(HTTPRequest(url: link)).body.collect(upTo: 100) == Data("ebb".utf8))
        await server.stop()
    }

    @Test("who one is; a wrong key, a wrong secret, in the server's words: A8, E11", .timeLimit(.minutes(15)))
    func identity() async throws {
        let account = try await Account()
        let identity = Account.action("GetCallerIdentity")
        let answer = try await account.client("sts").send(identity)
        #expect(KeyPage.texts("Arn", in: answer).first?.hasSuffix(":user/ann") == true)

        let own = account.credentials
        let unknown = AWSCredentials(accessKeyID: "AKIAUNKNOWN", secretAccessKey: own.secretAccessKey)
        let error = await Account.client(account.server.url, "sts", unknown).result(of: identity).failure
        #expect(
            error?.kind == .forbidden && error?.userMessage == "The security token included in the request is invalid.")
        let wrong = AWSCredentials(accessKeyID: own.accessKeyID, secretAccessKey: "wrong")
        let refused = await Account.client(account.server.url, "sts", wrong).result(of: identity).failure
        #expect(
            refused?.kind == .forbidden
                && refused?.userMessage?.contains("signature we calculated does not match") == true)
        #expect(refused.map { "\($0)".contains(own.accessKeyID) } == false)
        await account.server.stop()
    }
}
