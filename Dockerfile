# quizbot in a container of its own. README.md has how to run it, under "Run it for good".

FROM python:3.13-slim AS build
WORKDIR /source

# The build's tool by the version that the tests have, in an image that is thrown away. So is
# the cache that pip keeps in it.
COPY constraints.txt ./
# hadolint ignore=DL3042
RUN pip install -c constraints.txt hatchling

COPY LICENSE pyproject.toml ./
COPY adapters/ adapters/
COPY banks/ banks/
COPY bot/ bot/
# hadolint ignore=DL3042
RUN pip wheel --no-deps --no-build-isolation --wheel-dir /wheels . \
    && python -m venv --without-pip /opt/quizbot \
    && pip --python /opt/quizbot/bin/python install --only-binary :all: \
        -c constraints.txt "$(echo /wheels/quizbot-*.whl)[postgres]"


FROM python:3.13-slim
LABEL org.opencontainers.image.title="quizbot" \
      org.opencontainers.image.description="Quizzes for study groups, in each reader's language" \
      org.opencontainers.image.licenses="MIT AND CC-BY-4.0"

COPY --from=build /opt/quizbot /opt/quizbot

# The one folder that is written: the database, and its copies before upgrades. A new volume
# takes its owner over.
RUN mkdir /data && chown 10001:10001 /data

# `container` is how programs are told that the machine's name is known to nobody outside.
ENV PATH=/opt/quizbot/bin:$PATH \
    HOME=/data \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    container=oci \
    QUIZBOT_HOST=0.0.0.0 \
    QUIZBOT_PORT=8080

USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-m", "adapters.is_healthy"]
ENTRYPOINT ["quizbot"]
CMD ["run"]
