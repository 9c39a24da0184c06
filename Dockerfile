# Two images from one file: `web` (the default; no PyTorch, no compiler) and `worker`, for a GPU.
#   docker build --target web .        docker build --target worker .
FROM python:3.12-slim-trixie AS packages
COPY .ci/requirements.lock /tmp/requirements.lock
RUN python -m venv /opt/venv \
    && /opt/venv/bin/python -m pip install --no-cache-dir --no-deps --require-hashes --requirement /tmp/requirements.lock

# PyTorch stays outside the lock, as it does on a laptop: which build fits depends on the machine.
# The default build for Linux brings CUDA and its own Triton.
FROM packages AS packages-torch
ARG TORCH=2.13.0
ARG NUMPY=2.4.6
RUN /opt/venv/bin/python -m pip install --no-cache-dir "torch==${TORCH}" "numpy==${NUMPY}"

FROM python:3.12-slim-trixie AS app
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    RIDGEPOINT_DATA_DIR=/var/lib/ridgepoint \
    RIDGEPOINT_HOST=0.0.0.0 \
    RIDGEPOINT_LOG_JSON=true
# The program belongs to root and is run by a user who can write to the data folder alone.
RUN useradd --uid 10001 --home-dir /var/lib/ridgepoint --create-home --shell /usr/sbin/nologin ridgepoint
WORKDIR /srv/ridgepoint
COPY . .
RUN python -m compileall -q app kernels migrations
STOPSIGNAL SIGTERM

FROM app AS worker
# Triton compiles a small launcher in C for each kernel, when the kernel first runs.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
COPY --from=packages-torch /opt/venv /opt/venv
USER 10001:10001
VOLUME /var/lib/ridgepoint
# Exit status 1 where the database cannot be reached; a missing GPU is told by each run instead.
HEALTHCHECK --interval=60s --timeout=20s --start-period=30s CMD ["python", "-m", "app.cli", "doctor"]
CMD ["python", "-m", "app.cli", "worker"]

FROM app AS web
COPY --from=packages /opt/venv /opt/venv
USER 10001:10001
VOLUME /var/lib/ridgepoint
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["python", "-m", "app.cli", "serve"]
