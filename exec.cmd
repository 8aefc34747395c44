@rem For npm on Windows: the scripts in package.json begin with exec, which other shells have.
@%*
