import GodwitWire
import Testing

@Suite("S6 one rule for names of secrets")
struct SecretNameTests {
    @Test(
        "S6 names of credentials, in any style",
        arguments: [
            "password", "Password2", "user_password", "passwordConfirmation", "passwd", "passphrase", "passcode",
            "pass",
            "db_pass", "userPass", "userpass", "pwd", "pw", "token", "accessToken", "ACCESS_TOKEN", "access-token",
            "accesstoken", "csrfmiddlewaretoken", "id_token_hint", "device_token", "refresh", "refresh_token", "tokens",
            "secret", "client_secret", "clientSecret", "apikey", "api_key", "api-key", "apiKeyV2", "x-api-key",
            "X-ApiKey",
            "app_key", "appKey", "application_key", "access_key", "AWSAccessKeyId", "secretAccessKey",
            "SharedAccessKey",
            "private_key", "privateKeyPem", "Ocp-Apim-Subscription-Key", "subscription-key", "x-functions-key",
            "master_key", "signing_key", "hmac", "X-Hmac-Sha256", "signature", "X-Amz-Signature", "X-Hub-Signature-256",
            "X-Amz-Security-Token", "X-Amz-Credential", "sig", "sas", "sas_token", "SharedAccessSignature", "PHPSESSID",
            "JSESSIONID", "jsessionid", "ASP.NET_SessionId", "connect.sid", "sid", "session", "sessionId",
            "session_key",
            "laravel_session", ".ASPXAUTH", "csrf", "_csrf", "X-CSRF-Token", "XSRF-TOKEN", "xsrf", "bearer",
            "authorization",
            "Proxy-Authorization", "authorisation", "auth", "X-Auth", "authKey", "auth_code", "jwt", "otp", "totp",
            "pin",
            "cvv", "cvc", "cookie", "Set-Cookie", "credential", "aws_credentials", "creds", "assertion",
            "client_assertion",
            "SAMLResponse", "code_verifier", "oauth_verifier", "device_code", "user_code", "recovery_code",
            "connectionString", "psk", "mnemonic", "dpop", "user[password]", "authentication", "X-Authentication",
            "mfa_code", "twoFactorCode", "sms_code", "pin_code",
            "pincode", "userpwd", "db_pwd", "dbpwd", "smtppass", "keyPass", "storage_key", "licence_key", "ｐａｓｓｗｏｒｄ",
            "API Key", "X-User-Key", "user_key", "integrationKey",
        ])
    func secret(name: String) {
        #expect(SecretName.isSecret(name))
        #expect(SecretName.isSecretQueryItem(name))
    }

    @Test(
        "S6 names that only look like those of credentials stay visible",
        arguments: [
            "author", "authority", "authors", "coauthor", "passenger", "passengers", "compass", "bypass", "passage",
            "passive", "passport", "keyboard", "monkey", "turkey", "key", "keys", "code", "tokenizer", "tokenized",
            "detokenizer", "secretary", "pinned", "shipping", "pins", "spin", "opinion", "sessions", "sessions_count",
            "session_count", "sessionCount", "token_type", "tokenType", "token_endpoint", "token_url", "expires_in",
            "token_expires_at", "password_policy", "passwordChangedAt", "cookie_policy", "auth_method", "inside",
            "president",
            "side", "signal", "signed", "design", "nonce", "state", "username", "email", "name", "id", "ssn",
            "iban", "card_number", "zip_code", "country_code", "primary_key", "foreign_key", "public_key", "cache_key",
            "idempotency-key", "Sec-WebSocket-Key", "X-Amz-Date", "X-Amz-Algorithm", "X-Amz-Expires", "ETag", "otpions",
            "", "x", "client_id", "pass_rate", "assertions", "refreshed", "refresh_rate",
            "ticket", "ticket_count", "app_id", "applicationId", "page_key", "next_key", "sort_key",
        ])
    func visible(name: String) {
        #expect(!SecretName.isSecret(name))
    }

    @Test("S6 a query has secrets under names that mean something else in a body")
    func query() {
        for name in [
            "key", "code", "sig", "KEY", "sign", "ticket", "appid", "APPID", "app_id", "applicationId", "api_user",
        ] { #expect(SecretName.isSecretQueryItem(name)) }
        for name in ["page", "q", "keyword", "codec", "ticket_count", "next_key", "app_ids"] {
            #expect(!SecretName.isSecretQueryItem(name))
        }
    }

    @Test("S6 amounts of tokens are amounts")
    func amounts() {
        for name in ["total_tokens", "promptTokens", "max_tokens", "tokens"] { #expect(SecretName.countsTokens(name)) }
        for name in ["token", "secret_tokens", "total"] { #expect(!SecretName.countsTokens(name)) }
    }

    @Test("S6 header fields are sensitive by the same rule")
    func fields() {
        for name: HTTPField.Name in [
            "Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "apikey", "X-Token", "X-Session-Token",
            "X-Api-Key", "Authentication-Info", "Proxy-Authentication-Info", "DPoP", "X-Acme-Secret", "Session",
            "AppId", "X-App-Id", "X-Acme-Application-Id", "X-Ticket", "Acme-Ticket", "X-User-Key", "X-Api-User",
            "X-Key",
        ] {
            #expect(name.isSensitive, "\(name)")
        }
        for name: HTTPField.Name in [
            "Refresh", "Access-Control-Allow-Credentials", "WWW-Authenticate", "Idempotency-Key", "ETag", "X-Author",
            "X-Ticket-Count", "X-Cache-Key", "Surrogate-Key", "X-App-Version", "X-Mapped-Id",
            "Sec-WebSocket-Key", "Content-Type", "X-Request-ID",
        ] {
            #expect(!name.isSensitive, "\(name)")
        }
    }
}
