# One image for every part: `docker run … start --only workers`. Its settings are in docs/operations.md.
# The base is given with its digest and has no default, so that no build takes whatever a tag means that day:
#   docker build --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:… .      docs/releasing.md says where the digest comes from
ARG NODE_IMAGE
FROM ${NODE_IMAGE}

ENV NODE_ENV=production
WORKDIR /app

# Dependencies first: they change less often than the sources.
COPY package.json package-lock.json ./
COPY scripts/install-locked.mjs scripts/
RUN node scripts/install-locked.mjs && npm cache clean --force

COPY . .
RUN node scripts/build-portal.mjs

# Of .git only what names the commit is copied (.dockerignore). Where there is none: --build-arg COMMIT=$(git rev-parse HEAD)
ARG COMMIT=""
RUN node scripts/note-commit.ts "$COMMIT" && rm -rf .git

# The embedded database and the test environment's key live here; with DATABASE_URL and SECRET_KEY nothing is written.
# On this address there is no demo shop and no /dev/mail: DEMO=on and DEV_MAIL=on ask for them, in test.
ENV HOST=0.0.0.0 DATA_DIR=/data
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node

EXPOSE 3000
STOPSIGNAL SIGTERM
# Whether the process runs. A database that is away is no reason to start the container again.
HEALTHCHECK --start-period=60s --interval=10s --timeout=5s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.ADMIN_PORT || 3001) + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]

# Without the limit, what was just allocated takes up to 128 MB before it is collected.
ENTRYPOINT ["node_modules/.bin/node", "--max-semi-space-size=16", "bin/mostrador.mjs"]
CMD ["start"]
