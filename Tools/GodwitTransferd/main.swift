#if os(Linux)
import GodwitTransferDaemon

await TransferProgram.run()
#endif
