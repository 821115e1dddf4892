"""An authorization server made of Authlib and Flask, with everything in memory.

Run with the path of a file for the URL: any free port of 127.0.0.1 is taken. Serves, as /.well-known/oauth-authorization-server says:

/authorize       signs in at once, as the user that login_hint names; the user `nobody` refuses
/token           authorization_code (PKCE required), refresh_token (rotating), client_credentials, device_code
/device          device codes; the page /device/approve?user_code=… or /device/deny?user_code=… stands for the person
/revoke          RFC 7009
/articles        a resource that needs a token; /expire makes all access tokens of now invalid
/counts          how often each grant was asked for, as JSON

Clients: `reader` (public), `service` with the secret `s3cret-1` (HTTP Basic), `poster` with `posted` (in the form).
"""

import json
import os
import secrets
import sys
import time

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector, current_token
from authlib.oauth2.rfc6749 import ClientMixin, TokenMixin, grants
from authlib.oauth2.rfc6750 import BearerTokenValidator
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc8628 import DEVICE_CODE_GRANT_TYPE, DeviceAuthorizationEndpoint, DeviceCodeGrant
from flask import Flask, jsonify, request
from werkzeug.serving import make_server

app = Flask(__name__)
codes, tokens, devices, counts = {}, [], {}, {}


class Client(ClientMixin):
    def __init__(self, name, secret, method):
        self.client_id, self.secret, self.method = name, secret, method

    def get_client_id(self):
        return self.client_id

    def get_default_redirect_uri(self):
        return None

    def get_allowed_scope(self, scope):
        return " ".join(word for word in (scope or "").split() if word in ("articles", "openid", "offline"))

    def check_redirect_uri(self, uri):
        # RFC 8252 section 7.3: any port of the loopback.
        return uri.startswith("http://127.0.0.1:")

    def check_client_secret(self, secret):
        return self.secret is not None and secrets.compare_digest(self.secret, secret)

    def check_endpoint_auth_method(self, method, endpoint):
        return method == self.method

    def check_response_type(self, response_type):
        return response_type == "code"

    def check_grant_type(self, grant_type):
        return grant_type != "client_credentials" or self.secret is not None


class Token(TokenMixin):
    def __init__(self, values, client, user):
        self.access_token = values["access_token"]
        self.refresh_token = values.get("refresh_token")
        self.scope = values.get("scope", "")
        self.expires = time.time() + values["expires_in"]
        self.client_id, self.user = client.client_id, user
        self.revoked = False

    def check_client(self, client):
        return self.client_id == client.client_id

    def get_scope(self):
        return self.scope

    def get_expires_in(self):
        return int(self.expires - time.time())

    def is_expired(self):
        return time.time() > self.expires

    def is_revoked(self):
        return self.revoked

    def get_user(self):
        return self.user

    def get_client(self):
        return clients[self.client_id]


class Values:
    """Named values with the getters that Authlib asks for."""

    def __init__(self, **values):
        self.__dict__.update(values)

    def get_redirect_uri(self):
        return self.redirect_uri

    def get_scope(self):
        return self.scope

    def get_nonce(self):
        return None

    def get_client_id(self):
        return self.client_id

    def get_user_code(self):
        return self.user_code

    def is_expired(self):
        return time.time() > self.expires


class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"]

    def save_authorization_code(self, code, request):
        payload = request.payload
        codes[code] = Values(
            code=code, client_id=request.client.client_id, user=request.user, scope=payload.scope or "",
            redirect_uri=payload.redirect_uri, code_challenge=payload.data.get("code_challenge"),
            code_challenge_method=payload.data.get("code_challenge_method"), expires=time.time() + 60)

    def query_authorization_code(self, code, client):
        found = codes.get(code)
        return found if found and found.client_id == client.client_id and not found.is_expired() else None

    def delete_authorization_code(self, authorization_code):
        codes.pop(authorization_code.code, None)

    def authenticate_user(self, authorization_code):
        return authorization_code.user


class RefreshGrant(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"]
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token):
        return next((token for token in tokens if token.refresh_token == refresh_token and not token.revoked), None)

    def authenticate_user(self, refresh_token):
        return refresh_token.user

    def revoke_old_credential(self, refresh_token):
        refresh_token.revoked = True


class ClientGrant(grants.ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post"]


class DeviceGrant(DeviceCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]

    def query_device_credential(self, device_code):
        return devices.get(device_code)

    def query_user_grant(self, user_code):
        answer = next(device.answer for device in devices.values() if device.user_code == user_code)
        return None if answer is None else ("ann", answer)

    def should_slow_down(self, credential):
        credential.questions += 1
        return credential.questions == 2


class DeviceEndpoint(DeviceAuthorizationEndpoint):
    CLIENT_AUTH_METHODS = ["none"]

    def get_verification_uri(self):
        return f"{issuer}/device/approve"

    def save_device_credential(self, client_id, scope, data):
        devices[data["device_code"]] = Values(
            client_id=client_id, scope=scope or "", user_code=data["user_code"], answer=None, questions=0,
            expires=time.time() + 600)


class Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"]

    def query_token(self, token_string, token_type_hint):
        return next((token for token in tokens if token_string in (token.access_token, token.refresh_token)), None)

    def revoke_token(self, token, request):
        token.revoked = True


class Validator(BearerTokenValidator):
    def authenticate_token(self, token_string):
        return next((token for token in tokens if token.access_token == token_string), None)


clients = {
    client.client_id: client
    for client in (
        Client("reader", None, "none"),
        Client("service", "s3cret-1", "client_secret_basic"),
        Client("poster", "posted", "client_secret_post"),
    )
}
app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
server = AuthorizationServer(
    app, query_client=clients.get,
    save_token=lambda values, request: tokens.append(Token(values, request.client, request.user)))
server.register_grant(CodeGrant, [CodeChallenge(required=True)])
for grant in (RefreshGrant, ClientGrant, DeviceGrant):
    server.register_grant(grant)
server.register_endpoint(DeviceEndpoint)
server.register_endpoint(Revocation)
protect = ResourceProtector()
protect.register_token_validator(Validator())


@app.get("/.well-known/oauth-authorization-server")
def metadata():
    return jsonify(
        issuer=issuer, authorization_endpoint=f"{issuer}/authorize", token_endpoint=f"{issuer}/token",
        device_authorization_endpoint=f"{issuer}/device", revocation_endpoint=f"{issuer}/revoke",
        response_types_supported=["code"], code_challenge_methods_supported=["S256"])


@app.get("/authorize")
def authorize():
    user = request.args.get("login_hint", "ann")
    grant = server.get_consent_grant(end_user=user)
    return server.create_authorization_response(grant_user=None if user == "nobody" else user, grant=grant)


@app.post("/token")
def token():
    grant = request.form.get("grant_type", "")
    counts[grant] = counts.get(grant, 0) + 1
    return server.create_token_response()


@app.post("/device")
def device():
    return server.create_endpoint_response(DeviceEndpoint.ENDPOINT_NAME)


@app.get("/device/<answer>")
def decide(answer):
    for found in devices.values():
        if found.user_code == request.args["user_code"]:
            found.answer = answer == "approve"
    return "done"


@app.post("/revoke")
def revoke():
    return server.create_endpoint_response(Revocation.ENDPOINT_NAME)


@app.get("/articles")
@protect("articles")
def articles():
    return jsonify(user=current_token.user, client=current_token.client_id)


@app.post("/expire")
def expire():
    for found in tokens:
        found.expires = 0
    return "done"


@app.get("/counts")
def all_counts():
    return json.dumps(counts)


listener = make_server("127.0.0.1", 0, app, threaded=True)
issuer = f"http://127.0.0.1:{listener.server_port}"
with open(sys.argv[1] + ".new", "w") as file:
    file.write(issuer)
os.rename(sys.argv[1] + ".new", sys.argv[1])
listener.serve_forever()
