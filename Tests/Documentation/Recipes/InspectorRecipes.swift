import Godwit
import GodwitInspector
import Testing

@Suite("Recipes: the inspector")
struct InspectorRecipes {
    @Test("The page of godwit inspect")
    func local() {
        do {
            // snippet: inspector-local
            let api = APIClient(baseURL: "https://api.example.com/v1") { $0.inspector = .local }
            // end
            #expect(api.configuration.inspector != nil)
        }
        // snippet: recipe-G4-inspector
        let api = APIClient(baseURL: "https://api.example.com/v1") {
            $0.inspector = .local  // the page of `godwit inspect`; nil by default
            $0.inspector?.redactedNames = ["iban"]
        }
        // end
        #expect(api.configuration.inspector?.redactedNames == ["iban"])
    }

    @Test("A page in the program")
    func page() async throws {
        // snippet: inspector-page
        let page = try await InspectorPage()
        let api = APIClient(baseURL: "https://api.example.com/v1") { $0.inspector = page.inspector }
        print(page.url)  // open it in a browser
        // end
        #expect(api.configuration.inspector != nil)
        await page.stop()
    }
}
