"""Kinto with its document, which is Swagger 2.0, in memory. script/generated --kinto serves it."""

import kinto
from waitress.server import create_server

SETTINGS = {
    "kinto.includes": "kinto.plugins.default_bucket",
    "kinto.storage_backend": "kinto.core.storage.memory",
    "kinto.cache_backend": "kinto.core.cache.memory",
    "kinto.permission_backend": "kinto.core.permission.memory",
    "kinto.userid_hmac_secret": "secret",
    "kinto.default_bucket_hmac_secret": "secret",
    "kinto.paginate_by": "10",
    "multiauth.policies": "basicauth",
}

if __name__ == "__main__":
    # Prints the port that the system chose.
    server = create_server(kinto.main({}, **SETTINGS), host="127.0.0.1", port=0)
    print(server.effective_port, flush=True)
    server.run()
