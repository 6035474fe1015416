"""Stands for a process of the fork server: hands it its own streams, environment and folder, and ends as that ends.

It imports little, because it is started for each process. Arguments: the path of the socket, the words of the command.
"""

import json
import os
import socket
import sys

with socket.socket(socket.AF_UNIX) as connection:
    connection.connect(sys.argv[1])
    socket.send_fds(connection, [b"!"], [0, 1, 2])
    request = {"words": sys.argv[2:], "environment": dict(os.environ), "folder": os.getcwd()}  # noqa: PTH109
    connection.sendall(json.dumps(request).encode() + b"\n")
    for standard in range(3):  # So that a stream ends when the process that uses it ends it.
        os.close(standard)
    status = int(connection.makefile().readline())
if status < 0:
    os.kill(os.getpid(), -status)
os._exit(status)
