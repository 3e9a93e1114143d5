// Gives a target whose sources are all Torch objects, or which is only headers, something to compile.
