# What exists for a Python program: its tools, its output, its event loop. The same over a socket, over pipes and in WebAssembly.
