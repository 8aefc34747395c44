#!/bin/sh
# The server takes the place of this process, where `node run/bootstrap.mjs` would stay beside it with 35 MB and look five times a second whether
# npm is still there. On Windows exec.cmd goes on with that.
command=$(node "$(dirname "$0")/bootstrap.mjs" --command "$@") || exit
eval "exec $command"
