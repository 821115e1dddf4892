"""An authorization server made of Authlib and Flask, with everything in memory.

Run with the path of a file for the URL: any free port of 127.0.0.1 is taken. Serves, as /.well-known/oauth-authorization-server says:

/authorize       signs in at once, as the user that login_hint names; the user `nobody` refuses
/token           authorization_code (PKCE required), refresh_token (rotating), client_credentials, device_code
/device          device codes; the page /device/approve?user_code=… or /device/deny?user_code=… stands for the person
/revoke          RFC 7009
/articles        a resource that needs a token; /expire makes all access tokens of now invalid, /nonces all nonces
/counts          how often each grant was asked for, as JSON
/par             RFC 9126; /introspect RFC 7662; /token also exchanges tokens (RFC 8693)

A request for a token with a proof of a key (DPoP, RFC 9449) gets one that is bound to it. Every proof needs a nonce of the endpoint:
the first is refused with use_dpop_nonce. The check is below, with nothing but `cryptography`.

Clients: `reader` (public), `service` with the secret `s3cret-1` (HTTP Basic), `poster` with `posted` (in the form).
"""

import base64
import hashlib
import json
import os
import secrets
import sys
import time
from urllib.parse import urlencode

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector, current_token
from authlib.oauth2.rfc6749 import ClientMixin, TokenMixin, grants
from authlib.oauth2.rfc6750 import BearerTokenValidator
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc8628 import DEVICE_CODE_GRANT_TYPE, DeviceAuthorizationEndpoint, DeviceCodeGrant
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from flask import Flask, jsonify, redirect, request
from werkzeug.serving import make_server

app = Flask(__name__)
codes, tokens, devices, counts, pushed, proofs = {}, [], {}, {}, {}, set()
nonces = {"/token": secrets.token_urlsafe(12), "/articles": secrets.token_urlsafe(12)}


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
        # The thumbprint of the key that the token is bound to.
        self.key = None

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


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encoded(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Unproven(Exception):
    """What is wrong with a proof, as an error code of RFC 9449."""


def proven_key(endpoint, token=None):
    """The thumbprint of the key that the request's proof is made with (RFC 9449 section 4.3)."""
    try:
        [proof] = request.headers.getlist("DPoP")
        head, claims, signature = proof.split(".")
        header, body, signature = json.loads(decoded(head)), json.loads(decoded(claims)), decoded(signature)
        key = header["jwk"]
        assert header["typ"] == "dpop+jwt" and header["alg"] == "ES256" and "d" not in key and len(signature) == 64
        numbers = ec.EllipticCurvePublicNumbers(
            int.from_bytes(decoded(key["x"]), "big"), int.from_bytes(decoded(key["y"]), "big"), ec.SECP256R1())
        halves = [int.from_bytes(signature[place:place + 32], "big") for place in (0, 32)]
        numbers.public_key().verify(
            utils.encode_dss_signature(*halves), f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
        assert body["htm"] == request.method and body["htu"] == f"{issuer}{endpoint}"
        assert abs(body["iat"] - time.time()) < 60 and body["jti"] not in proofs
        assert token is None or body["ath"] == encoded(hashlib.sha256(token.encode()).digest())
    except (ValueError, KeyError, AssertionError, InvalidSignature) as error:
        raise Unproven("invalid_dpop_proof") from error
    proofs.add(body["jti"])
    if body.get("nonce") != nonces[endpoint]:
        raise Unproven("use_dpop_nonce")
    members = {name: key[name] for name in ("crv", "kty", "x", "y")}
    return encoded(hashlib.sha256(json.dumps(members, separators=(",", ":"), sort_keys=True).encode()).digest())


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
        pushed_authorization_request_endpoint=f"{issuer}/par", introspection_endpoint=f"{issuer}/introspect",
        dpop_signing_alg_values_supported=["ES256"],
        response_types_supported=["code"], code_challenge_methods_supported=["S256"])


@app.get("/authorize")
def authorize():
    if "request_uri" in request.args:
        # Once, and for the client that pushed it alone.
        form = pushed.pop(request.args["request_uri"], None)
        if form is None or form["client_id"] != request.args.get("client_id"):
            return "unknown request_uri", 400
        return redirect(f"/authorize?{form['query']}")
    user = request.args.get("login_hint", "ann")
    grant = server.get_consent_grant(end_user=user)
    return server.create_authorization_response(grant_user=None if user == "nobody" else user, grant=grant)


@app.post("/token")
def token():
    grant = request.form.get("grant_type", "")
    counts[grant] = counts.get(grant, 0) + 1
    key = None
    if "DPoP" in request.headers:
        try:
            key = proven_key("/token")
        except Unproven as error:
            return jsonify(error=str(error)), 400, {"DPoP-Nonce": nonces["/token"]}
    if grant == "refresh_token":
        used = next((found for found in tokens if found.refresh_token == request.form.get("refresh_token")), None)
        if used and used.key != key:
            return jsonify(error="invalid_grant", error_description="bound to another key"), 400
    if grant == "urn:ietf:params:oauth:grant-type:token-exchange":
        return exchanged()
    response = server.create_token_response()
    if key and response.status_code == 200:
        tokens[-1].key = key
        response.data = json.dumps({**response.get_json(), "token_type": "DPoP"})
    return response


def exchanged():
    subject = Validator().authenticate_token(request.form["subject_token"])
    if not subject or subject.revoked or request.authorization.password != clients["service"].secret:
        return jsonify(error="invalid_grant"), 400
    values = {"access_token": secrets.token_urlsafe(16), "scope": request.form.get("scope", ""), "expires_in": 300}
    tokens.append(Token(values, clients["service"], subject.user))
    kind = "urn:ietf:params:oauth:token-type:access_token"
    return jsonify(**values, token_type="Bearer", issued_token_type=kind, audience=request.form.get("audience"))


@app.post("/par")
def push():
    if request.form.get("client_id") not in clients or "request_uri" in request.form:
        return jsonify(error="invalid_request"), 400
    name = f"urn:ietf:params:oauth:request_uri:{secrets.token_urlsafe(12)}"
    pushed[name] = {"client_id": request.form["client_id"], "query": urlencode(request.form)}
    return jsonify(request_uri=name, expires_in=60), 201


@app.post("/introspect")
def introspect():
    if not request.authorization or request.authorization.password != clients["service"].secret:
        return jsonify(error="invalid_client"), 401
    found = Validator().authenticate_token(request.form["token"])
    if not found or found.revoked or found.is_expired():
        return jsonify(active=False)
    bound = {"cnf": {"jkt": found.key}} if found.key else {}
    return jsonify(active=True, scope=found.scope, client_id=found.client_id, sub=found.user, exp=int(found.expires), **bound)


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
def articles():
    scheme, _, text = request.headers.get("Authorization", "").partition(" ")
    found = Validator().authenticate_token(text)
    if scheme != "DPoP":
        return (jsonify(error="invalid_token"), 401) if found and found.key else bearer_articles()
    try:
        key = proven_key("/articles", text)
        if not found or found.key != key or found.revoked or found.is_expired():
            raise Unproven("invalid_token")
    except Unproven as error:
        challenge = {"WWW-Authenticate": f'DPoP algs="ES256", error="{error}"', "DPoP-Nonce": nonces["/articles"]}
        return jsonify(error=str(error)), 401, challenge
    return jsonify(user=found.user, client=found.client_id)


@protect("articles")
def bearer_articles():
    return jsonify(user=current_token.user, client=current_token.client_id)


@app.post("/nonces")
def change_nonces():
    for endpoint in nonces:
        nonces[endpoint] = secrets.token_urlsafe(12)
    return "done"


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
