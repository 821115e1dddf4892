// Only carries PrivacyInfo.xcprivacy: a target with resources imports Foundation, which no program on Linux should link for it.
// Partial downloads, caches and uploads ask for the size, the kind and the identity of files, by functions that also tell
// their timestamps (C617.1: files of the app; 3B52.1: files that the user chose).
