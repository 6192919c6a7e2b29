# The wall that a guest puts up around itself before it takes code: namespaces, limits, Landlock, seccomp.
