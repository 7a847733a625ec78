# syntax=docker/dockerfile:1.7
# The image of Parlance. docs/packages.md describes how to build and run it.
ARG RUST_IMAGE=rust:1.95.0-slim-bookworm
ARG RUNTIME_IMAGE=gcr.io/distroless/cc-debian12:nonroot

FROM ${RUST_IMAGE} AS sbom-tool
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    cargo install --locked --root /opt/sbom-tool cargo-cyclonedx@0.5.9

FROM ${RUST_IMAGE} AS build
WORKDIR /build
COPY . .
ARG PARLANCE_BUILD_COMMIT
ARG PARLANCE_BUILD_DATE
ENV PARLANCE_BUILD_COMMIT=${PARLANCE_BUILD_COMMIT} PARLANCE_BUILD_DATE=${PARLANCE_BUILD_DATE}
RUN --mount=type=cache,target=/usr/local/cargo/registry --mount=type=cache,target=/build/target \
    cargo build --locked --release --package parlance \
    && install -D -m 0755 target/release/parlance /image/usr/bin/parlance \
    && install -D -m 0644 -t /image/usr/share/doc/parlance LICENSE-APACHE LICENSE-MIT \
    && install -d -m 0750 /data
COPY --from=sbom-tool /opt/sbom-tool/bin/cargo-cyclonedx /usr/local/bin/cargo-cyclonedx
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    cargo cyclonedx --manifest-path crates/app/Cargo.toml --format json --spec-version 1.5 \
    --describe binaries --no-build-deps --target "$(rustc --print host-tuple)" \
    && install -m 0644 crates/app/parlance_bin.cdx.json /image/usr/share/doc/parlance/sbom.cdx.json

# hadolint ignore=DL3006
FROM ${RUNTIME_IMAGE}
ARG PARLANCE_BUILD_COMMIT
LABEL org.opencontainers.image.title="Parlance" \
      org.opencontainers.image.description="Stores contact-centre conversations and masks sensitive data" \
      org.opencontainers.image.licenses="MIT OR Apache-2.0" \
      org.opencontainers.image.revision="${PARLANCE_BUILD_COMMIT}" \
      org.cyclonedx.sbom="/usr/share/doc/parlance/sbom.cdx.json"
COPY --from=build /image /
COPY --from=build --chown=65532:65532 /data /var/lib/parlance
# By default, the database and the feeds are relative to this folder.
WORKDIR /var/lib/parlance
VOLUME /var/lib/parlance
ENV PARLANCE_LISTEN=0.0.0.0:8080
EXPOSE 8080
USER 65532:65532
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["/usr/bin/parlance", "health"]
ENTRYPOINT ["/usr/bin/parlance"]
CMD ["serve"]
