// Written by script/generated --names from docs/api and the toolchain.

/// The names of types that files see with `import Godwit`, `import GodwitUI`, `import Foundation` or `import Testing`.
enum ForeignTypes {
    /// Swift's own modules.
    static let swift = words(
        """
        Actor AdditiveArithmetic AnyActor AnyBidirectionalCollection AnyClass AnyCollection AnyHashable AnyIndex
        AnyIterator AnyKeyPath AnyObject AnyRandomAccessCollection AnyRegexOutput AnySequence Array
        ArrayLiteralConvertible ArraySlice AsyncCompactMapSequence AsyncDropFirstSequence AsyncDropWhileSequence
        AsyncFilterSequence AsyncFlatMapSequence AsyncIteratorProtocol AsyncMapSequence AsyncPrefixSequence
        AsyncPrefixWhileSequence AsyncSequence AsyncStream AsyncThrowingCompactMapSequence
        AsyncThrowingDropWhileSequence AsyncThrowingFilterSequence AsyncThrowingFlatMapSequence
        AsyncThrowingMapSequence AsyncThrowingPrefixWhileSequence AsyncThrowingStream BidirectionalCollection
        BidirectionalIndexable BidirectionalSlice BinaryFloatingPoint BinaryInteger BitwiseCopyable Bool
        BooleanLiteralConvertible BooleanLiteralType CBool CChar CChar16 CChar32 CChar8 CDouble CFloat CFloat16 CInt
        CLong CLongDouble CLongLong CShort CSignedChar CUnsignedChar CUnsignedInt CUnsignedLong CUnsignedLongLong
        CUnsignedShort CVaListPointer CVarArg CWideChar CancellationError CaseIterable Character CheckedContinuation
        Clock ClosedRange ClosedRangeIndex Codable CodingKey CodingKeyRepresentable CodingUserInfoKey Collection
        CollectionDifference CollectionOfOne CommandLine Comparable ConcurrentValue ContiguousArray ContinuousClock
        Copyable CountableClosedRange CountablePartialRangeFrom CountableRange CustomConsumingRegexComponent
        CustomDebugStringConvertible CustomLeafReflectable CustomPlaygroundDisplayConvertible
        CustomPlaygroundQuickLookable CustomReflectable CustomStringConvertible Decodable Decoder DecodingError
        DefaultBidirectionalIndices DefaultIndices DefaultRandomAccessIndices DefaultStringInterpolation Dictionary
        DictionaryIndex DictionaryIterator DictionaryLiteral DictionaryLiteralConvertible DiscardingTaskGroup
        DiscontiguousSlice Double DropFirstSequence DropWhileSequence Duration DurationProtocol EmptyCollection
        EmptyIterator Encodable Encoder EncodingError EnumeratedIterator EnumeratedSequence Equatable Error
        Escapable Executor ExecutorJob ExpressibleByArrayLiteral ExpressibleByBooleanLiteral
        ExpressibleByDictionaryLiteral ExpressibleByExtendedGraphemeClusterLiteral ExpressibleByFloatLiteral
        ExpressibleByIntegerLiteral ExpressibleByNilLiteral ExpressibleByStringInterpolation
        ExpressibleByStringLiteral ExpressibleByUnicodeScalarLiteral ExtendedGraphemeClusterLiteralConvertible
        ExtendedGraphemeClusterType FixedWidthInteger FlattenBidirectionalCollection
        FlattenBidirectionalCollectionIndex FlattenCollection FlattenCollectionIndex FlattenSequence Float Float16
        Float32 Float64 Float80 FloatLiteralConvertible FloatLiteralType FloatingPoint FloatingPointClassification
        FloatingPointRoundingRule FloatingPointSign GlobalActor Hashable Hasher Identifiable Indexable IndexableBase
        IndexingIterator InlineArray InstantProtocol Int Int128 Int16 Int32 Int64 Int8 IntegerLiteralConvertible
        IntegerLiteralType IteratorOverOne IteratorProtocol IteratorSequence Job JobPriority JoinedIterator
        JoinedSequence KeyPath KeyValuePairs KeyedDecodingContainer KeyedDecodingContainerProtocol
        KeyedEncodingContainer KeyedEncodingContainerProtocol LazyBidirectionalCollection LazyCollection
        LazyCollectionProtocol LazyDropWhileBidirectionalCollection LazyDropWhileCollection LazyDropWhileIndex
        LazyDropWhileIterator LazyDropWhileSequence LazyFilterBidirectionalCollection LazyFilterCollection
        LazyFilterIndex LazyFilterIterator LazyFilterSequence LazyMapBidirectionalCollection LazyMapCollection
        LazyMapIterator LazyMapRandomAccessCollection LazyMapSequence LazyPrefixWhileBidirectionalCollection
        LazyPrefixWhileCollection LazyPrefixWhileIndex LazyPrefixWhileIterator LazyPrefixWhileSequence
        LazyRandomAccessCollection LazySequence LazySequenceProtocol LosslessStringConvertible MainActor
        ManagedBuffer ManagedBufferPointer MemoryLayout Mirror MirrorPath MutableBidirectionalSlice
        MutableCollection MutableIndexable MutableRandomAccessSlice MutableRangeReplaceableBidirectionalSlice
        MutableRangeReplaceableRandomAccessSlice MutableRangeReplaceableSlice MutableRawSpan MutableSlice
        MutableSpan Never NilLiteralConvertible Numeric ObjectIdentifier Observable ObservationRegistrar
        Observations OpaquePointer OptionSet Optional OutputRawSpan OutputSpan PartialAsyncTask PartialKeyPath
        PartialRangeFrom PartialRangeThrough PartialRangeUpTo PlaygroundQuickLook PrefixSequence
        RandomAccessCollection RandomAccessIndexable RandomAccessSlice RandomNumberGenerator Range RangeExpression
        RangeReplaceableBidirectionalSlice RangeReplaceableCollection RangeReplaceableIndexable
        RangeReplaceableRandomAccessSlice RangeReplaceableSlice RangeSet RawRepresentable RawSpan
        ReferenceWritableKeyPath Regex RegexComponent RegexRepetitionBehavior RegexSemanticLevel
        RegexWordBoundaryKind Repeated Result ReversedCollection ReversedIndex ReversedRandomAccessCollection SIMD
        SIMD16 SIMD2 SIMD3 SIMD32 SIMD4 SIMD64 SIMD8 SIMDMask SIMDScalar SIMDStorage Sendable SendableMetatype
        Sequence SerialExecutor Set SetAlgebra SetIndex SetIterator SignedInteger SignedNumeric
        SingleValueDecodingContainer SingleValueEncodingContainer Slice Span StaticBigInt StaticString StrideThrough
        StrideThroughIterator StrideTo StrideToIterator Strideable String StringInterpolationConvertible
        StringInterpolationProtocol StringLiteralConvertible StringLiteralType StringProtocol Substring
        SuspendingClock SystemRandomNumberGenerator Task TaskExecutor TaskGroup TaskLocal TaskPriority
        TextOutputStream TextOutputStreamable ThrowingDiscardingTaskGroup ThrowingTaskGroup UInt UInt128 UInt16
        UInt32 UInt64 UInt8 UTF16 UTF32 UTF8 UTF8Span UnboundedRange UnboundedRange_ UnfoldFirstSequence
        UnfoldSequence Unicode UnicodeCodec UnicodeDecodingResult UnicodeScalar UnicodeScalarLiteralConvertible
        UnicodeScalarType UnkeyedDecodingContainer UnkeyedEncodingContainer Unmanaged UnownedJob
        UnownedSerialExecutor UnownedTaskExecutor UnsafeBufferPointer UnsafeBufferPointerIterator
        UnsafeConcurrentValue UnsafeContinuation UnsafeCurrentTask UnsafeMutableBufferPointer UnsafeMutablePointer
        UnsafeMutableRawBufferPointer UnsafeMutableRawBufferPointerIterator UnsafeMutableRawPointer UnsafePointer
        UnsafeRawBufferPointer UnsafeRawBufferPointerIterator UnsafeRawPointer UnsafeSendable
        UnsafeThrowingContinuation UnsignedInteger Void WritableKeyPath Zip2Iterator Zip2Sequence
        """)

    /// Foundation.
    static let foundation = words(
        """
        AffineTransform AlignmentOptions AttributeContainer AttributeDynamicLookup AttributeScope
        AttributeScopeCodableConfiguration AttributeScopes AttributedString AttributedStringAttributeMutation
        AttributedStringKey AttributedStringProtocol AttributedSubstring BlockOperation Bundle ByteCountFormatStyle
        ByteCountFormatter CGFloat CGPoint CGRect CGRectEdge CGSize Calendar CharacterSet CocoaError
        CodableAttributedStringKey CodableConfiguration CodableWithConfiguration ComparableComparator Comparator
        ComparisonResult ContiguousBytes CurrencyFormatStyleConfiguration CustomNSError Data DataProtocol Date
        DateComponents DateFormatter DateInterval DateIntervalFormatter Decimal DecodableAttributedStringKey
        DecodableWithConfiguration DecodingConfigurationProviding DescriptiveNumberFormatConfiguration Dimension
        DiscontiguousAttributedSubstring DiscreteFormatStyle EncodableAttributedStringKey EncodableWithConfiguration
        EncodingConfigurationProviding EnergyFormatter Expression FileAttributeKey FileAttributeType FileHandle
        FileManager FileManagerDelegate FileProtectionType FloatingPointFormatStyle FloatingPointParseStrategy
        FormatStyle FormatStyleCapitalizationContext Formatter Host ISO8601DateFormatter IndexPath IndexSet
        InflectionRule InputStream IntegerFormatStyle IntegerParseStrategy JSONDecoder JSONEncoder JSONSerialization
        KeyPathComparator LengthFormatter ListFormatStyle Locale LocalizedError MarkdownDecodableAttributedStringKey
        MassFormatter Measurement Morphology MutableDataProtocol NSAffineTransform NSAffineTransformStruct NSArray
        NSAttributedString NSBinarySearchingOptions NSCache NSCacheDelegate NSCalendar NSCharacterSet NSCoder
        NSCoding NSComparisonPredicate NSCompoundPredicate NSCondition NSConditionLock NSCopying NSCountedSet NSData
        NSDate NSDateComponents NSDateInterval NSDecimalNumber NSDecimalNumberBehaviors NSDecimalNumberHandler
        NSDictionary NSEdgeInsets NSEnumerationOptions NSEnumerator NSError NSErrorDomain NSExceptionName
        NSExpression NSIndexPath NSIndexSet NSIndexSetIterator NSKeyedArchiver NSKeyedArchiverDelegate
        NSKeyedUnarchiver NSKeyedUnarchiverDelegate NSLocale NSLock NSLocking NSMeasurement NSMutableArray
        NSMutableAttributedString NSMutableCharacterSet NSMutableCopying NSMutableData NSMutableDictionary
        NSMutableIndexSet NSMutableOrderedSet NSMutableSet NSMutableString NSNotification NSNull NSNumber NSObject
        NSObjectProtocol NSOrderedSet NSOrthography NSPersonNameComponents NSPoint NSPointArray NSPointPointer
        NSPredicate NSRange NSRangePointer NSRect NSRectArray NSRectEdge NSRectPointer NSRecursiveLock
        NSRegularExpression NSSecureCoding NSSet NSSize NSSizeArray NSSizePointer NSSortDescriptor NSSortOptions
        NSString NSTextCheckingKey NSTextCheckingResult NSTimeZone NSURL NSURLComponents NSURLQueryItem NSUUID
        NSValue NSZone Notification NotificationCenter NotificationQueue NumberFormatStyleConfiguration
        NumberFormatter ObjCBool OperatingSystemVersion Operation OperationQueue OutputStream POSIXError
        ParseStrategy ParseableFormatStyle PersonNameComponents PersonNameComponentsFormatter Pipe Port PortDelegate
        PortMessage Predicate PredicateBindings PredicateError PredicateExpression PredicateExpressions Process
        ProcessInfo Progress ProgressKind ProgressReporting ProgressUserInfoKey PropertyListDecoder
        PropertyListEncoder PropertyListSerialization QualityOfService RecoverableError ReferenceConvertible RunLoop
        Scanner ScopedAttributeContainer SocketNativeHandle SocketPort SortComparator SortDescriptor SortOrder
        StandardPredicateExpression Stream StreamDelegate StreamNetworkServiceTypeValue
        StreamSOCKSProxyConfiguration StreamSOCKSProxyVersion StreamSocketSecurityLevel StringStyle StringTransform
        Thread TimeInterval TimeZone Timer URL URLComponents URLError URLFileResourceType URLQueryItem
        URLResourceKey URLResourceValues UUID Unit UnitAcceleration UnitAngle UnitArea UnitConcentrationMass
        UnitConverter UnitConverterLinear UnitDispersion UnitDuration UnitElectricCharge UnitElectricCurrent
        UnitElectricPotentialDifference UnitElectricResistance UnitEnergy UnitFrequency UnitFuelEfficiency
        UnitIlluminance UnitInformationStorage UnitLength UnitMass UnitPower UnitPressure UnitSpeed UnitTemperature
        UnitVolume UserDefaults unichar uuid_string_t uuid_t
        """)

    /// Godwit with its user interface.
    static let godwit = words(
        """
        APIClient APIEnvironment AWSCredentials AWSSigner AWSSigning AccessToken AccountChanged AccountSession
        ActionModel Admission AdmittingMiddleware ArrayStrategy Authentication AuthenticationRequirement
        AuthorizationCode AuthorizationRequest BackgroundConfiguration BackgroundEvent BackgroundEvents
        BackgroundFailure BackgroundJob BackgroundJobOptions BackgroundService BackgroundSession BackgroundTLS
        Backoff Bytes CacheFolder CachePolicy CacheSetting CacheStatus CacheStore CacheUse CachedResponse Caching
        Call CallHandle CallOutcome Chain ChainElement ChainLink Challenges Characters CircuitBreaker CircuitChange
        CircuitOpen CircuitSharing ClientAuthentication ClientCertificate ClientConfiguration ClientGauges
        ClientTelemetry Coalescing ConcurrencyLimit ConcurrencyOptions Conditional ConnectionCounts ConnectionPolicy
        Connectivity ConnectivityModel ConnectivityPolicy ContentCompression ContentDigest Cookie CookieFile
        CookieHandling CookieJar CookiePolicy CookieSetting Cookies Credential CredentialProvider CredentialQuestion
        CursorPage DPoP DPoPKey Debounced DecodedEvents DecodedImage Default DefaultEmpty DefaultFields
        DefaultSource Delivery DeviceAuthorization Diagnostics DiskCacheStore DiskModelStore Download DownloadModel
        DownloadOptions DownloadTicket DroppedElement ElementPage EmptyResponse EmptyValue Endpoint EndpointPath
        Envelope EnvironmentCatalogue ErrorBody EventSource EventStreamParser EventTooLarge ExactHosts
        FileTokenStore HAROptions HARRecorder HSTS HSTSSetting HSTSStore HTTPBody HTTPField HTTPFields HTTPMethod
        HTTPRequest HTTPResponse HTTPResponseHead HTTPSOnly HTTPStatus HTTPTransport HTTPURL HTTPURLConvertible
        HTTPVersion HasEmptyValue HostTable IdempotencyKeys ImageHeader ImageLoader ImageModel ImageOptions
        ImagePhase ImagePrefetch ImageStage ImageStages ImageTooLarge Inspector InterfaceKind InvalidURL JSONBytes
        JSONCoding JSONDateValue JSONDates JSONDecoding JSONDocument JSONElement JSONElementError
        JSONElementSplitter JSONElements JSONEncoding JSONFormat JSONKeys JSONLines JSONModelDecoder
        JSONModelEncoder JSONNonFiniteNumbers JSONObjectReader JSONReadable JSONSyntax JSONSyntaxError JSONValue
        KeyMaterial KeyedLoader Lines LinuxPathMonitor LiveFeed LoadFailure Loader LoadingState LogLevel LogOptions
        Logging LoopbackRedirect LossyArray MediaType MemoryCacheStore MemoryModelStore MemoryTokenStore
        MessageEnvelope MessageSignature MessageSigner MessageSigning Middleware ModelInvalidation ModelStore
        MultipartForm MutualTLSEndpoints NetworkAllowance NetworkError NetworkPath NetworkPaths Next Nonisolated
        NumberOrString OAuth2 OAuthClient OAuthError OAuthServer OAuthTokenResponse ObservingMiddleware Open Origin
        Outbox OutboxItem OutboxMutation OutboxPrecondition PageElements PageLoader PageSource Pages Paging
        PasswordCredential Patch PathFeed PathMonitor Pin PinMismatch PinSet PixelSize PreviousImage PrivateFile
        ProblemDetails ProgressUpdates ProtocolPreference ProtocolUpgrade Proxy PublicSuffixList PublicSuffixes
        QueryChanges QueryConvertible QueryItem QueryItems QueryOptions QueryStore QueryValue RateLimit RateLimiter
        RateRule RawResponse Reading Readings ReconnectOptions ReconnectingWebSocket RedirectPolicy Redirects
        RequestBody RequestCompression RequestIDs RequestIdentifier RequestMiddleware RequestOption RequestOptions
        RequestPriority Response ResponseLimit ResponseStream ResultOrder ResumableUpload Retry RetryBudget
        RetryOptions RetryOverride RetryPause Review ReviewingMiddleware SearchModel SecretServiceTokenStore
        ServerLimit ServerSentEvent ShutdownMode SignOut SignatureAlgorithm SignatureComponent SignatureParameters
        SigningKey SocketConfiguration SocketTransport StorageDiagnostic StoredModel StructuredFieldType
        SystemPathMonitor TLSConfiguration TerminalText Throttled Timeouts TokenIntrospection TokenRefresher
        TokenStore TokenStoreError TraceContext TraceFields Tracing TrafficEvent TransferEvent TransferMetrics
        TransferProgress TrustedAuthorities TypedMessages TypedWebSocket URLSessionSettings URLSessionTransport
        Upload UploadModel UploadOptions UploadParts UploadProtocol UploadStartOver UploadTarget UploadTicket
        UserMessages VerificationKey WebLink WebSocket WebSocketCloseCode WebSocketCompression WebSocketKeepalive
        WebSocketMessage WebSocketMessages WebSocketOptions XSRFToken
        """)

    /// What only tests import.
    static let testing = words(
        """
        Attachable AttachableWrapper Attachment BadNetworkFailure BadNetworkScenario Bug Cassette CassetteMismatch
        Comment ConditionTrait Confirmation CustomTestArgumentEncodable CustomTestStringConvertible ExitStatus
        ExitTest Expectation ExpectationFailedError ImmediateClock Issue IssueHandlingTrait KnownIssueMatcher
        MockFailure MockIssue MockRequest MockResponse MockRoute MockRoutes MockServer MockSourceLocation
        MockTransport MockUploads MockWebSocket ParallelizationTrait RecordedExchange SourceLocation
        StrictMocksTrait SuiteTrait Tag Test TestClock TestScoping TestTrait TimeLimitTrait Trait WaitFailure
        """)

    private static func words(_ text: String) -> Set<String> {
        Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
    }
}
