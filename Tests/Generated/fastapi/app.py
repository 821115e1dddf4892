"""A harbor's office: an API with what generated clients get wrong. script/generated --fastapi serves it.

The client is generated from /openapi.json of this server, so the document is FastAPI's own, with pydantic's schemas.
"""

import base64
import datetime
import decimal
import enum
import socket
import uuid
from collections.abc import AsyncIterable
from typing import Annotated, Literal, Optional, Union

import uvicorn
from fastapi import APIRouter, Body, Cookie, Depends, FastAPI, File, Form, Header, HTTPException, Path, Query, Response, UploadFile
from fastapi.responses import StreamingResponse
from fastapi.security import OAuth2PasswordBearer, OAuth2PasswordRequestForm
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel, Field

app = FastAPI(title="Harbor", version="2.1.0", description="Berths, vessels and what they carry.")
session = OAuth2PasswordBearer(tokenUrl="token", scopes={"berths": "Assign berths"})


class Kind(str, enum.Enum):
    cargo = "cargo"
    ferry = "ferry"
    tall_ship = "tall-ship"
    default = "default"


class Priority(int, enum.Enum):
    low = 1
    high = 9


class Position(BaseModel):
    latitude: float = Field(ge=-90, le=90)
    longitude: float = Field(ge=-180, le=180)


class Sail(BaseModel):
    type: Literal["sail"] = "sail"
    masts: int = 1


class Engine(BaseModel):
    type: Literal["engine"] = "engine"
    kilowatts: decimal.Decimal


class Container(BaseModel):
    number: str
    weight: float


class Bulk(BaseModel):
    substance: str
    liters: int


class VesselDraft(BaseModel):
    name: str = Field(min_length=2, max_length=40)
    kind: Kind = Kind.cargo
    position: Optional[Position] = None
    propulsion: Annotated[Union[Sail, Engine], Field(discriminator="type")]
    cargo: list[Union[Container, Bulk]] = []
    built: Optional[datetime.date] = None
    priority: Priority = Priority.low
    labels: dict[str, str] = {}
    call_sign: str | None = Field(default=None, description="The radio call sign.", examples=["DHSQ"])


class Vessel(VesselDraft):
    id: uuid.UUID
    arrived: datetime.datetime
    previous: Optional[Position] = None
    harbor_dues: decimal.Decimal
    stay: Optional[datetime.timedelta] = None
    berth: Union[int, str, None] = None


class VesselChange(BaseModel):
    name: Optional[str] = None
    kind: Optional[Kind] = None
    position: Optional[Position] = None
    call_sign: Optional[str] = None


class VesselPage(BaseModel):
    items: list[Vessel]
    total: int
    next_cursor: Optional[str] = None


class Compartment(BaseModel):
    """A room of a vessel, with the rooms inside of it."""

    name: str
    parent: Optional["Compartment"] = None
    rooms: list["Compartment"] = []


class Arrival(BaseModel):
    vessel: str
    at: datetime.datetime
    note: Optional[str] = None


class Tide(BaseModel):
    height: float
    rising: bool


class Receipt(BaseModel):
    names: list[str]
    size: int
    title: Optional[str] = None
    tags: list[str] = []


class Token(BaseModel):
    access_token: str
    token_type: str
    expires_in: int


class Captain(BaseModel):
    user_name: str
    ports: list[str]


class Echo(BaseModel):
    path_text: str
    number: int
    cookie: Optional[str]
    kinds: list[Kind]
    since: Optional[datetime.datetime]
    day: Optional[datetime.date]
    flag: bool
    limit: int
    x_request_tag: Optional[str]
    dues: Optional[decimal.Decimal]


class Refusal(BaseModel):
    message: str
    code: Literal["not_found", "occupied"]


vessels: dict[uuid.UUID, Vessel] = {}
UTC = datetime.timezone.utc
FIRST = uuid.UUID("6f1c5f0e-8f4f-4d53-9f0a-0f8a3c0d2b11")


def restore() -> None:
    vessels.clear()
    vessels[FIRST] = Vessel(
        id=FIRST, name="Alexandra", kind=Kind.tall_ship, position=Position(latitude=54.3, longitude=10.1),
        propulsion=Sail(masts=3), cargo=[Container(number="C-1", weight=2.5), Bulk(substance="milk", liters=900)],
        built=datetime.date(1908, 4, 2), priority=Priority.high, labels={"flag": "DE"},
        arrived=datetime.datetime(2026, 11, 23, 8, 30, 15, 123456, tzinfo=UTC), harbor_dues=decimal.Decimal("1204.10"),
        stay=datetime.timedelta(hours=26), berth="B-7")


restore()
berths = APIRouter(prefix="/vessels", tags=["vessels"])
missing = {404: {"model": Refusal, "description": "There is no such vessel."}}


def found(vessel: uuid.UUID) -> Vessel:
    if vessel not in vessels:
        raise HTTPException(404, detail={"message": "no such vessel", "code": "not_found"})
    return vessels[vessel]


@berths.get("/")
def list_vessels(cursor: Optional[str] = None, limit: Annotated[int, Query(ge=1, le=50)] = 20) -> VesselPage:
    """Vessels in the order of their names."""
    names = sorted(vessels.values(), key=lambda vessel: vessel.name)
    start = int(cursor or 0)
    end = start + limit
    return VesselPage(items=names[start:end], total=len(names), next_cursor=str(end) if end < len(names) else None)


@berths.post("/", status_code=201)
def create_vessel(draft: VesselDraft) -> Vessel:
    vessel = Vessel(
        **draft.model_dump(), id=uuid.uuid4(), arrived=datetime.datetime(2026, 11, 23, tzinfo=UTC),
        harbor_dues=decimal.Decimal("0.30"), berth=4)
    vessels[vessel.id] = vessel
    return vessel


@berths.get("/by-label")
def vessels_by_label(label: str) -> dict[str, Vessel]:
    return {vessel.labels[label]: vessel for vessel in vessels.values() if label in vessel.labels}


@berths.get("/{vessel_id}", responses=missing)
def read_vessel(vessel_id: uuid.UUID) -> Vessel:
    return found(vessel_id)


@berths.patch("/{vessel_id}", responses=missing)
def change_vessel(vessel_id: uuid.UUID, change: VesselChange) -> Vessel:
    vessel = found(vessel_id).model_copy(update=change.model_dump(exclude_unset=True))
    vessels[vessel_id] = Vessel.model_validate(vessel.model_dump())
    return vessels[vessel_id]


@berths.delete("/{vessel_id}", status_code=204, responses=missing)
def delete_vessel(vessel_id: uuid.UUID) -> None:
    del vessels[found(vessel_id).id]


@berths.get("/{vessel_id}/photo", response_class=Response, responses={200: {"content": {"image/png": {}}}})
def download_photo(vessel_id: uuid.UUID) -> Response:
    found(vessel_id)
    return Response(bytes(range(256)) * 16, media_type="image/png")


@berths.put("/{vessel_id}/photo")
async def upload_photo(
    vessel_id: uuid.UUID, photo: UploadFile, title: Annotated[str, Form()], tags: Annotated[list[str], Form()] = [],
) -> Receipt:
    data = await photo.read()
    return Receipt(names=[photo.filename or ""], size=len(data), title=title, tags=tags)


@berths.post("/{vessel_id}/papers")
async def upload_papers(vessel_id: uuid.UUID, papers: list[UploadFile], seal: Annotated[Optional[bytes], File()] = None) -> Receipt:
    size = sum([len(await paper.read()) for paper in papers]) + len(seal or b"")
    return Receipt(names=[paper.filename or "" for paper in papers], size=size)


@berths.get("/{vessel_id}/plan", deprecated=True)
def read_plan(vessel_id: uuid.UUID) -> Compartment:
    hold = Compartment(name="hold", parent=Compartment(name="deck"), rooms=[Compartment(name="bilge")])
    return Compartment(name=found(vessel_id).name, rooms=[hold])


@berths.put("/{vessel_id}/plan")
def replace_plan(vessel_id: uuid.UUID, plan: Compartment) -> int:
    def count(room: Compartment) -> int:
        return 1 + sum(count(inner) for inner in room.rooms)

    return count(plan)


app.include_router(berths)


@app.post("/token", tags=["session"])
def login(form: Annotated[OAuth2PasswordRequestForm, Depends()]) -> Token:
    if form.password != "anchor & chain":
        raise HTTPException(400, detail="Incorrect username or password")
    token = base64.urlsafe_b64encode(form.username.encode()).decode()
    return Token(access_token=token, token_type="bearer", expires_in=3600)


@app.get("/me", tags=["session"])
def read_me(token: Annotated[str, Depends(session)]) -> Captain:
    try:
        name = base64.urlsafe_b64decode(token).decode()
    except ValueError:
        raise HTTPException(401, detail="Invalid token", headers={"WWW-Authenticate": "Bearer"})
    return Captain(user_name=name, ports=["Kiel", "Husum"])


@app.get("/arrivals", tags=["streams"])
async def stream_arrivals(count: int = 3) -> AsyncIterable[Arrival]:
    """Arrivals as they happen, one on a line."""
    for number in range(count):
        yield Arrival(vessel=f"Vessel {number}", at=datetime.datetime(2026, 11, 23, 8, number, tzinfo=UTC))


@app.get("/tides", tags=["streams"], response_class=EventSourceResponse)
async def watch_tides(count: int = 2) -> AsyncIterable[Tide]:
    for number in range(count):
        yield Tide(height=1.5 + number, rising=number % 2 == 0)


@app.get("/log", tags=["streams"], response_class=StreamingResponse,
         responses={200: {"content": {"application/x-ndjson": {"schema": Arrival.model_json_schema()}}}})
def read_log() -> StreamingResponse:
    lines = [Arrival(vessel="Heimat", at=datetime.datetime(2026, 1, 2, tzinfo=UTC), note="fog").model_dump_json() + "\n"]
    return StreamingResponse(iter(lines), media_type="application/x-ndjson")


@app.get("/echo/{path_text}/{number}", tags=["echo"])
def echo(
    path_text: str,
    number: Annotated[int, Path(ge=0)],
    kinds: Annotated[list[Kind], Query()] = [],
    since: Optional[datetime.datetime] = None,
    day: Optional[datetime.date] = None,
    dues: Optional[decimal.Decimal] = None,
    flag: bool = True,
    limit: int = 10,
    x_request_tag: Annotated[Optional[str], Header()] = None,
    berth_session: Annotated[Optional[str], Cookie()] = None,
) -> Echo:
    return Echo(
        kinds=kinds, since=since, day=day, flag=flag, limit=limit, x_request_tag=x_request_tag, dues=dues,
        path_text=path_text, number=number, cookie=berth_session)


@app.post("/quote", tags=["echo"])
def quote(
    vessel: Annotated[VesselDraft, Body()], days: Annotated[int, Body(ge=1)], note: Annotated[Optional[str], Body()] = None
) -> dict[str, Union[float, str, None]]:
    return {"total": days * 12.5, "name": vessel.name, "note": note}


@app.post("/anything", tags=["echo"])
def anything(value: Annotated[Union[Container, list[Bulk], str, int, None], Body()]) -> dict:
    return {"type": type(value).__name__}


@app.post("/restore", tags=["echo"], status_code=204)
def restore_vessels() -> None:
    restore()


if __name__ == "__main__":
    # Prints the port that the system chose.
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])
