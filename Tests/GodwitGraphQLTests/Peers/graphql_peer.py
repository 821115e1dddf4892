"""A GraphQL server that others wrote: the schema of schema.graphql, by strawberry-graphql or ariadne.

  graphql_peer.py strawberry|ariadne [PORT]

Prints its port. /graphql has queries, mutations and subscriptions over WebSocket, /events subscriptions over server-sent
events, /schema what graphql-core prints of the schema's introspection. strawberry also has batches, @defer and the
older protocol graphql-ws.
"""

import asyncio
import json
import os
import pathlib
import socket
import sys

import uvicorn

ARTICLES = {
    "1": {"id": "1", "title": "The bar-tailed godwit", "status": "PUBLISHED", "tags": ["bird", "long \"haul\""]},
    "2": {"id": "2", "title": "Draft", "status": "DRAFT", "tags": []},
}
AUTHOR = {"id": "7", "name": "Limosa"}
TOKEN = "Bearer feather"
PUBLISHED = "2026-11-23T19:00:00Z"


class Denied(Exception):
    """An error with a code."""

    extensions = {"code": "UNAUTHENTICATED"}


def found(text):
    """The articles and authors whose texts contain a text."""
    articles = [value for value in ARTICLES.values() if text in value["title"]]
    return articles + ([AUTHOR] if text in AUTHOR["name"] else [])


def depth(nested):
    """How often an input contains itself."""
    return str(1 + int(depth(nested["again"]))) if nested.get("again") else "1"


async def counted(to):
    for number in range(1, to + 1):
        yield number
        await asyncio.sleep(0)


async def ticked():
    number = 0
    while True:
        number += 1
        yield {"boot": os.getpid(), "number": number}
        await asyncio.sleep(0.02)


async def broken(after):
    for number in range(1, after + 1):
        yield number
    raise ValueError("the counter broke")


def described(name, content):
    return {"name": name, "size": len(content), "text": content.decode() if len(content) < 100 else None}


def printed(schema):
    """A route with the schema as a client of it can print it."""
    from graphql import build_client_schema, introspection_from_schema, print_schema
    from starlette.responses import PlainTextResponse
    from starlette.routing import Route

    introspection = introspection_from_schema(schema, input_value_deprecation=True, schema_description=True)
    text = print_schema(build_client_schema(introspection))
    return Route("/schema", lambda request: PlainTextResponse(text))


# --- ariadne ------------------------------------------------------------------


def ariadne():
    from ariadne import InterfaceType, MutationType, ObjectType, QueryType, SubscriptionType, UnionType
    from ariadne import make_executable_schema, upload_scalar
    from ariadne.asgi import GraphQL
    from ariadne.asgi.handlers import GraphQLTransportWSHandler
    from ariadne.contrib.sse import GraphQLHTTPSSEHandler
    from starlette.applications import Starlette
    from starlette.routing import Route, WebSocketRoute

    query, mutation, subscription, article = QueryType(), MutationType(), SubscriptionType(), ObjectType("Article")
    query.set_field("greeting", lambda _, info, name: f"Hello, {name}")
    query.set_field("article", lambda _, info, id: ARTICLES.get(id))
    query.set_field("search", lambda _, info, text, first: found(text)[:first])
    query.set_field("token", lambda _, info: info.context["request"].headers.get("authorization"))

    query.set_field("presence", lambda _, info, **given: json.dumps(given, sort_keys=True))
    query.set_field("odd", lambda _, info, input=None, **others: {"id": "7", "name": depth(input["nested"])})

    @query.field("secret")
    def secret(_, info):
        raise Denied("no token")

    article.set_field("published", lambda parent, info: PUBLISHED)
    article.set_field("author", lambda parent, info: AUTHOR)

    @article.field("subtitle")
    def subtitle(parent, info):
        raise ValueError("no subtitle")

    mutation.set_field("create", lambda _, info, input: {"id": "3", **input})

    @mutation.field("upload")
    async def upload(_, info, file):
        return described(file.filename, await file.read())

    @mutation.field("uploads")
    async def uploads(_, info, files):
        return [described(file.filename, await file.read()) for file in files]

    subscription.set_source("count", lambda _, info, to: counted(to))
    subscription.set_field("count", lambda value, info, to: value)
    subscription.set_source("ticks", lambda _, info: ticked())
    subscription.set_field("ticks", lambda value, info: value)
    subscription.set_source("breaks", lambda _, info, after: broken(after))
    subscription.set_field("breaks", lambda value, info, after: value)

    def kind(value, *_):
        return "Author" if "name" in value else "Article"

    schema = make_executable_schema(
        pathlib.Path(__file__).with_name("schema.graphql").read_text(encoding="utf-8"),
        query, mutation, subscription, article, upload_scalar, UnionType("SearchResult", kind), UnionType("Single", kind),
        InterfaceType("Node", kind),
    )

    def is_allowed(request, payload):
        if isinstance(payload, dict) and payload.get("token") == "stale":
            from ariadne.exceptions import WebSocketConnectionError

            raise WebSocketConnectionError({"message": "the token is stale"})

    graphql = GraphQL(schema, execute_get_queries=True,
                      websocket_handler=GraphQLTransportWSHandler(on_connect=is_allowed))
    events = GraphQL(schema, http_handler=GraphQLHTTPSSEHandler())
    return Starlette(routes=[
        Route("/graphql", graphql, methods=["GET", "POST"]),
        WebSocketRoute("/graphql", graphql),
        Route("/events", events, methods=["GET", "POST"]),
        printed(schema),
    ])


# --- strawberry ---------------------------------------------------------------


def strawberry():
    import enum
    import typing

    import strawberry as s
    from graphql import GraphQLError
    from strawberry.asgi import GraphQL
    from strawberry.exceptions import ConnectionRejectionError
    from strawberry.file_uploads import Upload
    from strawberry.schema.config import StrawberryConfig
    from strawberry.subscriptions import GRAPHQL_SSE_PROTOCOL, GRAPHQL_TRANSPORT_WS_PROTOCOL, GRAPHQL_WS_PROTOCOL
    from strawberry.subscriptions import MULTIPART_SUBSCRIPTION_PROTOCOL
    from starlette.applications import Starlette
    from starlette.routing import Route, WebSocketRoute

    Moment = typing.NewType("Moment", str)
    scalars = {Moment: s.scalar(name="Moment", description="A moment in UTC, such as 2026-11-23T19:00:00Z.",
                                serialize=str, parse_value=str)}

    @s.enum
    class Status(enum.Enum):
        DRAFT = "DRAFT"
        PUBLISHED = "PUBLISHED"
        RETRACTED = s.enum_value("RETRACTED", deprecation_reason="Nothing is retracted.")

    @s.interface
    class Node:
        id: s.ID

    @s.type
    class Author(Node):
        name: str

    @s.type(description="An article.\n\nIts subtitle always fails.")
    class Article(Node):
        title: str
        status: Status
        tags: list[str]

        @s.field
        def subtitle(self) -> str | None:
            raise ValueError("no subtitle")

        @s.field
        def published(self) -> Moment | None:
            return PUBLISHED

        @s.field
        def author(self) -> Author | None:
            return Author(**AUTHOR)

    SearchResult = typing.Annotated[Article | Author, s.union("SearchResult")]

    @s.input
    class ArticleInput:
        title: str
        tags: list[str] = s.field(default_factory=lambda: ["new"])
        status: Status | None = Status.DRAFT
        note: str | None = None

    @s.type
    class FileInfo:
        name: str
        size: int
        text: str | None

    @s.type
    class Tick:
        boot: int
        number: int

    def article_of(values):
        return Article(**{**values, "status": Status(values["status"])})

    @s.type
    class Query:
        @s.field
        def greeting(self, name: str = "you") -> str:
            return f"Hello, {name}"

        @s.field
        def article(self, id: s.ID) -> Article | None:
            return article_of(ARTICLES[id]) if id in ARTICLES else None

        @s.field
        def search(self, text: str, first: int | None = 10) -> list[SearchResult]:
            return [Author(**value) if "name" in value else article_of(value) for value in found(text)[:first]]

        @s.field
        def secret(self) -> str | None:
            raise GraphQLError("no token", extensions=Denied.extensions)

        @s.field
        def token(self, info: s.Info) -> str | None:
            return info.context["request"].headers.get("authorization")

    @s.type
    class Mutation:
        @s.mutation
        def create(self, input: ArticleInput) -> Article:
            return Article(id=s.ID("3"), title=input.title, status=input.status, tags=input.tags)

        @s.mutation
        async def upload(self, file: Upload) -> FileInfo:
            return FileInfo(**described(file.filename, await file.read()))

        @s.mutation
        async def uploads(self, files: list[Upload]) -> list[FileInfo]:
            return [FileInfo(**described(file.filename, await file.read())) for file in files]

    @s.type
    class Subscription:
        @s.subscription
        async def count(self, to: int) -> typing.AsyncGenerator[int, None]:
            async for number in counted(to):
                yield number

        @s.subscription
        async def ticks(self) -> typing.AsyncGenerator[Tick, None]:
            async for values in ticked():
                yield Tick(**values)

        @s.subscription
        async def breaks(self, after: int) -> typing.AsyncGenerator[int, None]:
            async for number in broken(after):
                yield number

    config = StrawberryConfig(batching_config={"max_operations": 10}, enable_experimental_incremental_execution=True)
    schema = s.Schema(Query, Mutation, Subscription, scalar_overrides=scalars, config=config)

    class Server(GraphQL):
        async def on_ws_connect(self, context):
            if (context.get("connection_params") or {}).get("token") == "stale":
                raise ConnectionRejectionError({"message": "the token is stale"})
            return await super().on_ws_connect(context)

    protocols = [GRAPHQL_TRANSPORT_WS_PROTOCOL, GRAPHQL_WS_PROTOCOL, GRAPHQL_SSE_PROTOCOL,
                 MULTIPART_SUBSCRIPTION_PROTOCOL]
    graphql = Server(schema, multipart_uploads_enabled=True, allow_queries_via_get=True,
                     subscription_protocols=protocols, max_subscriptions_per_connection=None)
    return Starlette(routes=[
        Route("/graphql", graphql, methods=["GET", "POST"]),
        WebSocketRoute("/graphql", graphql),
        Route("/events", graphql, methods=["POST"]),
        printed(schema._schema),
    ])


def main():
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", int(sys.argv[2]) if len(sys.argv) > 2 else 0))
    app = {"ariadne": ariadne, "strawberry": strawberry}[sys.argv[1]]()
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=1))
    listener.listen(128)
    print(listener.getsockname()[1], flush=True)
    asyncio.run(server.serve(sockets=[listener]))


main()
