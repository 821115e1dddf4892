import Corpus
import Foundation
import Godwit
import Testing

/// What generated webhooks read.
@Suite("Webhooks and callbacks")
struct WebhookTests {
    private struct Refused: Error {}

    @Test("a body is decoded once it has been verified")
    func verified() throws {
        let body = Data(#"{"itemId": "0F2A7A5E-6B1C-4C57-9E0B-0B9F6A4F1D11", "left": 2}"#.utf8)
        var verified: [Data] = []
        let value = try DepotWebhooks.stockLow(body) { verified.append($0) }
        #expect(value.left == 2 && verified == [body])
        #expect(throws: Refused.self) { try DepotWebhooks.stockLow(body) { _ in throw Refused() } }
    }

    @Test("a type that requests send too has what the API sends")
    func shared() throws {
        let order = try DepotWebhooks.orderPaid(Data(#"{"id": 7, "note": "n"}"#.utf8)) { _ in }
        #expect(order.id == 7 && order.note == "n")
        #expect(throws: NetworkError.self) { try DepotWebhooks.default(Data("{}".utf8)) { _ in } }
        #expect(try DepotWebhooks.default(Data("[]".utf8)) { _ in }.isEmpty)
    }
}
