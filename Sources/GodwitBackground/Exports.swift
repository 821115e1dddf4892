// A session is of no use without the requests it is given, so whoever imports it reads Core as well.
@_exported public import GodwitCore
