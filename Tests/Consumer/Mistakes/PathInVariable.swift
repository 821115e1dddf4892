// expect: cannot convert value of type 'String' to expected argument type 'EndpointPath'
import Godwit

func endpoint(path: String) -> Endpoint<String> { .get(path) }
