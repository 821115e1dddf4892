import GodwitTransferDaemon

await TransferProgram.run()
