#!/usr/bin/env python3
"""otlp_decode.py traces|metrics protobuf|json FILE: decodes an OTLP request with OpenTelemetry's own classes.

Prints the message as JSON with sorted keys, the same for both encodings. FILE can be compressed with gzip. Fails if a
field is unknown or has the wrong type.
"""

import base64
import gzip
import json
import sys

from google.protobuf import json_format
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2

IDS = {"traceId", "spanId", "parentSpanId"}


def without_hexadecimal(value):
    """OTLP writes IDs in hexadecimal digits, where protobuf's JSON has base64."""
    if isinstance(value, list):
        return [without_hexadecimal(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: base64.b64encode(bytes.fromhex(item)).decode() if key in IDS else without_hexadecimal(item)
        for key, item in value.items()
    }


def main():
    signal, encoding, path = sys.argv[1:]
    with open(path, "rb") as file:
        data = file.read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    message = {
        "traces": trace_service_pb2.ExportTraceServiceRequest,
        "metrics": metrics_service_pb2.ExportMetricsServiceRequest,
    }[signal]()
    if encoding == "protobuf":
        message.ParseFromString(data)
        size = message.ByteSize()
        message.DiscardUnknownFields()
        assert message.ByteSize() == size, "there are unknown fields"
    else:
        json_format.ParseDict(without_hexadecimal(json.loads(data)), message)
    print(json.dumps(json_format.MessageToDict(message), sort_keys=True))


main()
