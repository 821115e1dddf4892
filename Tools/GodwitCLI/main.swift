import GodwitCommand

await Program.run()
