import Godwit

func endpoint(path: String) -> Endpoint<String> { .get(path) }
