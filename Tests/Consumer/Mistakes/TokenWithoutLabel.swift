// expect: 'init(_:)' is unavailable: write AccessToken(access: …)
import Godwit

let token = AccessToken("secret")
