internal import GodwitCore
