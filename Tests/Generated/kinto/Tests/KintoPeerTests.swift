// Calls a running Kinto with the client that is generated from its own document.
import Foundation
import Godwit
import Kinto
import Testing

@Suite("G2 Kinto, from its document of Swagger 2.0", .serialized)
struct KintoPeerTests {
    private struct Unversioned: Error {}

    private let api: APIClient

    init() throws {
        let url = try #require(ProcessInfo.processInfo.environment["GODWIT_PEER_URL"])
        api = KintoAPI.client(
            APIEnvironment(name: "local", baseURL: url + "/v1"),
            credential: .basicauth(user: "ann", password: "feather"))
    }

    /// Records of a collection of their own.
    private func records(_ collection: String, _ data: [[String: JSONValue]]) async throws -> [[String: JSONValue]] {
        _ = try await api.send(.updateCollection(bucketId: "default", id: collection, UpdateCollectionRequest()))
        var created: [[String: JSONValue]] = []
        for item in data {
            let endpoint = Endpoint<CreateRecordResponse>.createRecord(
                bucketId: "default", collectionId: collection, CreateRecordRequest(data: item))
            created.append(try #require(try await api.send(endpoint).data))
        }
        return created
    }

    @Test("G2 records are created, changed, listed with filters and deleted")
    func changes() async throws {
        let created = try await records("terns", (1...3).map { ["species": "tern", "count": .integer(Int64($0))] })
        let id = try #require(created[0]["id"]?.string)
        let changed = try await api.send(
            .patchRecord(
                bucketId: "default", collectionId: "terns", id: id, PatchRecordRequest(data: .value(["count": 9]))))
        #expect(changed.data?["count"] == 9 && changed.data?["species"] == "tern")
        let sorted = try await api.send(
            .getRecords(bucketId: "default", collectionId: "terns", limit: 2, sort: ["-count"], fields: ["count"]))
        #expect(sorted.data?.compactMap { $0["count"] } == [9, 3])
        _ = try await api.send(.deleteRecord(bucketId: "default", collectionId: "terns", id: id))
        #expect(try await api.send(.getRecords(bucketId: "default", collectionId: "terns")).data?.count == 2)
    }

    @Test("G2 errors of every operation are one type, with the words of the server")
    func errors() async throws {
        let created = try await records("waders", [["species": "avocet"]])
        let id = try #require(created[0]["id"]?.string)
        guard case .integer(let version)? = created[0]["last_modified"] else { throw Unversioned() }
        func failure(_ endpoint: Endpoint<some Sendable>) async throws -> (NetworkError, KintoError) {
            let error = try #require(await #expect(throws: NetworkError.self) { try await api.send(endpoint) })
            return (error, try #require(error.underlying as? KintoError))
        }
        let (missing, why) = try await failure(.getRecord(bucketId: "default", collectionId: "waders", id: "none"))
        #expect(missing.response?.status == .notFound && why.code == 404 && why.errno == 110)
        _ = try await api.send(
            .patchRecord(
                bucketId: "default", collectionId: "waders", id: id, PatchRecordRequest(data: .value(["count": 1]))))
        let (late, reason) = try await failure(
            .updateRecord(
                bucketId: "default", collectionId: "waders", id: id, UpdateRecordRequest(data: ["count": 2]),
                ifMatch: "\"\(version)\""))
        #expect(late.response?.status == .preconditionFailed && reason.errorDescription == reason.message)
        let same = try await api.response(for: .getRecords(bucketId: "default", collectionId: "waders"))
        let tag = try #require(same.head.fields[.etag])
        let endpoint = Endpoint<GetRecordsResponse>.getRecords(bucketId: "default", collectionId: "waders").ifNoneMatch(
            tag)
        guard case .notModified = try await api.send(endpoint) else {
            Issue.record("the list was sent again")
            return
        }
    }

    @Test("G2 several changes go in one request")
    func batches() async throws {
        _ = try await records("gulls", [])
        let requests = (1...5).map { number in
            BatchRequest.Request(
                method: Open(.post), path: "/v1/buckets/default/collections/gulls/records",
                body: ["data": ["count": .integer(Int64(number))]])
        }
        // The document says that a batch needs no credential, but its parts do.
        let batch = Endpoint<[BatchResponse]>.batch(BatchRequest(requests: requests)).authentication(.required)
        let responses = try await api.send(batch)
        #expect(responses.map(\.status) == [201, 201, 201, 201, 201])
        #expect(try await api.send(.getRecords(bucketId: "default", collectionId: "gulls")).data?.count == 5)
    }
}
