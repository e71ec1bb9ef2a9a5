# Assay with the tools that its judges use: docker build -t assay . && docker run --rm -e ASSAY_TOKEN -v "$PWD:/work" assay certify https://...
ARG BASE=node:20-bookworm-slim
FROM ${BASE} AS build
WORKDIR /opt/assay
COPY . .
# The optional compiled packages serve backends that this image does not hold. The build's compiler comes as an optional package too, so they
# are left out after it, and none of them is made.
RUN npm ci --no-fund --no-audit --ignore-scripts \
  && node scripts/build.js \
  && npm prune --omit=dev --omit=optional --no-fund --no-audit --ignore-scripts

FROM ${BASE}
RUN apt-get update -q \
  && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends ca-certificates openssh-client openssl \
  && rm -rf /var/lib/apt/lists/* \
  && ln -s /opt/assay/bin/assay.js /usr/local/bin/assay \
  && mkdir /work \
  && chown 1000:1000 /work
COPY --from=build /opt/assay /opt/assay
ENV NODE_ENV=production ASSAY_STATE_DIR=/work/.assay
WORKDIR /work
USER 1000:1000
ENTRYPOINT ["assay"]
CMD ["--help"]
