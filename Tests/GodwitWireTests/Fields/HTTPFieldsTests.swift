import GodwitWire
import GodwitTesting
import Testing

@Suite struct HTTPFieldsTests {
    @Test("U7 order and duplicates are kept, lookups ignore case")
    func orderAndDuplicates() {
        var fields: HTTPFields = ["B": "1", "a": "2"]
        fields.append("3", for: "b")
        #expect(fields.map(\.value) == ["1", "2", "3"])
        #expect(fields.map(\.name.rawName) == ["B", "a", "b"])
        #expect(fields.values(of: "B") == ["1", "3"])
        #expect(fields["b"] == "1, 3")
        #expect(fields["A"] == "2")
        #expect(fields.contains("a") && !fields.contains("c"))
    }

    @Test("U7 setting replaces all fields of the name, at the position of the first")
    func setting() {
        var fields: HTTPFields = ["A": "1", "B": "2", "a": "3", "C": "4", "A": "5"]
        fields["a"] = "9"
        #expect(fields.map(\.value) == ["9", "2", "4"])
        fields["D"] = "new"
        #expect(fields.last?.value == "new")
    }

    @Test("U7 nil removes every field of the name")
    func removing() {
        var fields: HTTPFields = ["A": "1", "B": "2", "a": "3"]
        fields["A"] = nil
        #expect(fields.map(\.value) == ["2"])
        fields.remove("X")
        #expect(fields.count == 1)
        #expect(fields["A"] == nil)
        #expect(fields.values(of: "A").isEmpty)
    }

    @Test("U7 repeated cookies join with a semicolon")
    func cookies() {
        var fields: HTTPFields = [.cookie: "a=1"]
        fields.append("b=2", for: "cookie")
        #expect(fields[.cookie] == "a=1; b=2")
    }

    @Test("U7 an invalid field is found before it is sent")
    func invalidField() {
        var fields: HTTPFields = [.accept: "text/html"]
        #expect(fields.firstInvalidField == nil)
        fields["X-A"] = "a\r\nInjected: 1"
        #expect(fields.firstInvalidField?.name == "X-A")
        fields["X-A"] = nil
        fields["bad name"] = "1"
        #expect(fields.firstInvalidField?.name == "bad name")
    }

    @Test("U7 lists are equal if order, names (ignoring case) and values are")
    func equality() {
        let fields: HTTPFields = ["A": "1", "B": "2"]
        #expect(fields == ["a": "1", "b": "2"])
        #expect(fields.hashValue == (["a": "1", "b": "2"] as HTTPFields).hashValue)
        #expect(fields != ["B": "2", "A": "1"])
    }

    @Test("U7 random edits agree with a plain list of pairs")
    func model() {
        var generator = SeededGenerator(seed: 7)
        var fields = HTTPFields()
        var model: [(name: String, value: String)] = []
        for step in 0..<2000 {
            let name = ["X-a", "x-A", "Y", "y", "Zz"].randomElement(using: &generator) ?? "Y"
            let key = HTTPField.Name(stringLiteral: name)
            let lower = name.lowercased()
            switch Int.random(in: 0..<3, using: &generator) {
            case 0:
                fields.append("\(step)", for: key)
                model.append((lower, "\(step)"))
            case 1:
                fields[key] = "\(step)"
                let place = model.firstIndex { $0.name == lower } ?? model.count
                model.removeAll { $0.name == lower }
                model.insert((lower, "\(step)"), at: place)
            default:
                fields.remove(key)
                model.removeAll { $0.name == lower }
            }
            #expect(fields.map(\.value) == model.map(\.value))
            #expect(fields.values(of: key) == model.filter { $0.name == lower }.map(\.value))
        }
    }
}
