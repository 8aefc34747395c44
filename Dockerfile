# One image for all processes; ROLE decides what a process does (compose.yaml).
FROM node:24-bookworm-slim

WORKDIR /opt/marktrail
COPY package.json package-lock.json .npmrc ./
# With development packages, because the apps are built here.
RUN npm ci --include=dev --include=optional
COPY . .
RUN node run/bootstrap.mjs run/build.ts

# Keys, heads and outbox. All processes share it, or have MASTER_KEY, SIGNING_KEY, HEADS_FILE and FORGETTINGS_FILE set.
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node

ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
EXPOSE 3000
HEALTHCHECK --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:3000/api/health/live').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["sh", "run/start.sh", "run/main.ts"]
