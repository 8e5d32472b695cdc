"""What runs around a kernel file's own script, in a process of its own."""
