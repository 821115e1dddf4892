// Signatures need requests, so that importing this module imports Core too.
@_exported public import GodwitCore
