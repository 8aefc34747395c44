@rem For npm on Windows: the scripts in package.json begin with exec, which other shells have, as they have sh.
@set "command=%*"
@%command:sh run/start.sh=node run/bootstrap.mjs%
