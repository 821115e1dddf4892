import GodwitCommand

Program.run()
