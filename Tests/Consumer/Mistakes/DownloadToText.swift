// expect: cannot convert value of type 'String' to expected argument type 'URL'
import Godwit

func program(api: APIClient) async throws {
    let file = try await api.download(Endpoint<Data>.get("film"), to: "/tmp/film.mp4").file
    _ = file
}
