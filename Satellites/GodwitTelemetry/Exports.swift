// Programs that import telemetry also need the client that it observes.
@_exported public import Godwit
