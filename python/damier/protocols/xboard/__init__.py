"""The xboard protocol (CECP), version 2 (Tim Mann and H.G. Muller), for chess and Chess960: `XboardEngine`."""
