"""A tus server (drf-tus) and an S3 server (moto), for uploads.

Run with a folder: writes its database, the uploads and, once both servers listen, the file `peers.env` there.

  GODWIT_TEST_TUS  creates uploads. A complete one is at /uploaded/NAME below the folder.
  GODWIT_TEST_S3   the S3 server, with the bucket `films`. It accepts any signature.
"""

import os
import sys
import threading
from wsgiref import simple_server

import django
from django.conf import settings
from moto.server import ThreadedMotoServer

folder = os.path.abspath(sys.argv[1])

settings.configure(
    BASE_DIR=folder,
    SECRET_KEY="test",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    MEDIA_ROOT=folder,
    DATA_UPLOAD_MAX_MEMORY_SIZE=None,
    INSTALLED_APPS=[
        "django.contrib.contenttypes",
        "django.contrib.auth",
        "rest_framework",
        "rest_framework_tus",
    ],
    MIDDLEWARE=["rest_framework_tus.middleware.TusMiddleware"],
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": os.path.join(folder, "tus.sqlite"),
        }
    },
    REST_FRAMEWORK={"DEFAULT_AUTHENTICATION_CLASSES": [], "DEFAULT_PERMISSION_CLASSES": []},
    REST_FRAMEWORK_TUS={"UPLOAD_DIR": os.path.join(folder, "incoming")},
)
django.setup()

from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.urls import include, path  # noqa: E402

urlpatterns = [path("", include("rest_framework_tus.urls", namespace="rest_framework_tus"))]


class Quiet(simple_server.WSGIRequestHandler):
    protocol_version = "HTTP/1.0"

    def log_message(self, *arguments):
        pass


def main():
    os.makedirs(os.path.join(folder, "incoming"), exist_ok=True)
    call_command("migrate", verbosity=0)
    tus = simple_server.make_server("127.0.0.1", 0, get_wsgi_application(), handler_class=Quiet)
    store = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    store.start()
    host, port = store.get_host_and_port()
    draft = os.path.join(folder, "peers.env.tmp")
    with open(draft, "w", encoding="utf-8") as file:
        file.write(f"export GODWIT_TEST_TUS=http://127.0.0.1:{tus.server_port}/files/\n")
        file.write(f"export GODWIT_TEST_S3=http://{host}:{port}\n")
    os.rename(draft, os.path.join(folder, "peers.env"))
    threading.Thread(target=tus.serve_forever, daemon=True).start()
    threading.Event().wait()


main()
