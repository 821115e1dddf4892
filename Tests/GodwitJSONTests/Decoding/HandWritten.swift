import GodwitJSON
import Testing

/// A type as a program has it, and documents that it decodes with the default strategies.
struct HandWritten: Sendable, CustomTestStringConvertible {
    let name: String
    let samples: [String]
    let foundation: @Sendable (JSONDecoder, Data) throws -> String
    let model: @Sendable (JSONModelDecoder, Data) throws -> String

    init<Value: Decodable & SendableMetatype>(_ type: Value.Type, _ samples: String...) {
        name = "\(type)"
        self.samples = samples
        foundation = { try dumped($0.decode(type, from: $1)) }
        model = { try dumped($0.decode(type, from: $1)) }
    }

    var testDescription: String { name }

    static let all = [
        HandWritten(
            Article.self,
            #"{"id":1,"title":"A","createdAt":700000000.5,"author":{"id":18446744073709551615,"displayName":"é😀"},"tags":["a","b"]}"#,
            #"{"flags":[[true,null],[]],"byDay":{"1":[1,2.5],"-3":[]},"counts":{"a":1,"b":2},"levels":[0,2],"color":"red","url":"https://example.com/","thumbnail":"AQID","price":12.30,"rating":4.5,"tags":[],"author":{"displayName":"x","id":1},"createdAt":0,"title":"\u0041\n","id":-5,"unknown":{"a":[1,{"b":null}]}}"#,
            #"{"id":1,"title":"A","createdAt":1,"author":{"id":1,"displayName":""},"tags":[],"rating":null,"price":null,"thumbnail":null,"url":null,"color":null,"levels":null,"counts":null,"byDay":null,"flags":null}"#
        ),
        HandWritten(
            Dog.self, #"{"tricks":["sit"],"super":{"name":"Rex","born":1}}"#, #"{"super":{"name":""},"tricks":[]}"#),
        HandWritten(Cat.self, #"{"lives":9,"name":"Tom","born":null}"#),
        HandWritten(
            [Shape].self,
            #"[{"circle":{"radius":1.5}},{"polygon":{"points":[[0,1],[2,3]],"isClosed":true}},{"label":{"_0":"x","_1":[1,2]}},{"nothing":{}}]"#,
            #"[{"polygon":{"points":[]}}]"#),
        HandWritten(
            Page<Article.Author, [String: Int]>.self,
            #"{"items":[{"id":1,"displayName":"a"}],"meta":{"a":1},"nextPage":"/2","total":7}"#,
            #"{"items":[]}"#),
        HandWritten(
            Page<Page<Int, String>, Page<Bool?, Decimal>>.self,
            #"{"items":[{"items":[1,2],"meta":"m"}],"meta":{"items":[true,null],"meta":0.1}}"#),
        HandWritten(
            Lossy<Article.Author>.self, #"[{"id":1,"displayName":"a"},{"id":"x"},null,{"id":2,"displayName":"b"}]"#),
        HandWritten(Lossy<Int>.self, #"[1,"2",{},3,[4],null,5.5,6]"#),
        HandWritten([Either<Int, [String: Int]>].self, #"[1,{"a":1},2]"#),
        HandWritten(Either<Point, Either<Shape, String>>.self, #"[1,2]"#, #"{"circle":{"radius":0}}"#, #""text""#),
        HandWritten(Node.self, #"{"value":1,"children":[{"value":2},{"value":3,"children":[]}]}"#),
        HandWritten([String: [Int: [Color: Level]]].self, #"{"a":{"1":{"red":1},"2":{}},"b":{}}"#),
        HandWritten([SideKey: [Int?]].self, #"{"left":[1,null],"right":[]}"#),
        HandWritten([Int8?].self, #"[1,null,-128,127]"#),
        HandWritten(Int?.self, "null", "1"),
        HandWritten(String.self, #""é\ud83d\ude00""#),
        HandWritten([[[Double]]].self, "[[[1.5,2],[]],[],[[-0.0]]]"),
        HandWritten([UInt128].self, "[340282366920938463463374607431768211455]"),
        HandWritten([Range<Int>].self, "[[1,5],[2,2]]"),
    ]
}

/// A description of all stored properties, in depth.
func dumped(_ value: Any) -> String {
    if let value = value as? any DescribedExactly { return value.exactDescription }
    let mirror = Mirror(reflecting: value)
    guard !mirror.children.isEmpty, mirror.displayStyle != .set, mirror.displayStyle != .dictionary else {
        return describe(value)
    }
    return "\(mirror.subjectType)("
        + mirror.children.map { "\($0.label ?? "_"): \(dumped($0.value))" }.joined(separator: ", ") + ")"
}
