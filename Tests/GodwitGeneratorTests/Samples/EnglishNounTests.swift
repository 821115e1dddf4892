@testable import GodwitGenerator
import Testing

@Suite("G2 English nouns and words of names")
struct EnglishNounTests {
    @Test(
        "G2 plurals have their singular",
        arguments: [
            ("articles", "article"), ("categories", "category"), ("people", "person"), ("statuses", "status"),
            ("addresses", "address"), ("series", "series"), ("news", "news"), ("children", "child"), ("boxes", "box"),
            ("branches", "branch"), ("wishes", "wish"), ("houses", "house"), ("databases", "database"),
            ("cases", "case"), ("licenses", "license"), ("responses", "response"), ("viruses", "virus"),
            ("analyses", "analysis"), ("heroes", "hero"), ("wolves", "wolf"), ("leaves", "leaf"), ("movies", "movie"),
            ("buses", "bus"), ("quizzes", "quiz"), ("sizes", "size"), ("keys", "key"), ("ids", "id"),
            ("indices", "index"), ("criteria", "criterion"), ("shoes", "shoe"), ("causes", "cause"),
        ])
    func plurals(plural: String, singular: String) {
        #expect(EnglishNoun.singular(plural) == singular)
        #expect(EnglishNoun.isPlural(plural))
    }

    @Test(
        "G2 singulars stay as they are",
        arguments: [
            "article", "status", "address", "bus", "analysis", "access", "gas", "lens", "data", "progress", "me",
        ])
    func singulars(word: String) {
        #expect(EnglishNoun.singular(word) == word)
        #expect(!EnglishNoun.isPlural(word))
    }

    @Test("G2 names in any spelling have the same words")
    func words() {
        for name in ["order-items", "order_items", "orderItems", "OrderItems", "order items"] {
            #expect(SampleWords.words(name) == ["order", "items"])
        }
        #expect(SampleWords.words("HTTPServer2") == ["http", "server2"])
        #expect(SampleWords.camel(["order", "items"]) == "orderItems" && SampleWords.pascal(["a", "b"]) == "AB")
        #expect(SampleWords.item("order-items") == ["order", "item"] && SampleWords.item("news") == ["news", "item"])
        #expect(SampleWords.item("") == [] && !SampleWords.isPlural("") && SampleWords.words("--") == [])
    }

    @Test(
        "G2 segments of a path are values or names",
        arguments: [
            ("42", true), ("articles", false), ("507f1f77bcf86cd799439011", true), ("a@b.example", true),
            ("2026-05-01", true), ("my-first-day-at-the-sea", false), ("v1", false), ("deadbeef", false),
            ("01ARZ3NDEKTSV4RRFFQ69G5FAV", true), ("top-100-articles-of-the-year", false),
        ])
    func segments(segment: String, isValue: Bool) {
        #expect(SampleText.isValue(segment) == isValue)
    }
}
