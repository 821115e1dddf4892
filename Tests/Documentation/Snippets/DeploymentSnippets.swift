import Godwit

// snippet: server-client
extension Endpoint {
    static func export(day: String) -> Endpoint<String> { .get("tides/\(day)") }
}

func makeWeatherClient() -> APIClient {
    APIClient(baseURL: "https://weather.example.com/v1") {
        $0.userAgent = "Harbor/1.0"
        $0.cookies = .off
        $0.timeouts.total = .seconds(5)
        $0.concurrency.perHost = 32
    }
}
// end
