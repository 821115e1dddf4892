// Empty: what stands in #if canImport(Darwin) uses nothing of it.
