# The world of a Python program: its tools, output and event loop; the same over sockets, pipes and in WebAssembly.
