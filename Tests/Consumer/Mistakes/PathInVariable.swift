// works
import Godwit

func endpoint(path: String) -> Endpoint<String> { .get(path) }

func part(of path: Substring, id: String) -> [Endpoint<Void>] { [.get(path), .delete("articles/" + id)] }
