// A store is of no use without what it stores, so whoever imports the stores reads Core as well.
@_exported public import GodwitCore
