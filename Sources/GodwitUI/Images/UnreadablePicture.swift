/// Bytes that the system's decoder cannot make a picture of.
struct UnreadablePicture: Error {}
