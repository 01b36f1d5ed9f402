# The action's image. Another base with Python 3.11 or newer and apt: --build-arg BASE_IMAGE=...
ARG BASE_IMAGE=python:3.14-slim@sha256:51dafde81dbdb6ebde285137a295cf18a47ca95234fe388a343719cb97305b3d

# uv, which installs everything else.
FROM ${BASE_IMAGE} AS tools
WORKDIR /build
COPY requirements-bootstrap.lock ./
RUN python3 -m venv /opt/tools \
 && /opt/tools/bin/python -m pip install --no-cache-dir --quiet --require-hashes --only-binary :all: -r requirements-bootstrap.lock
ENV PATH=/opt/tools/bin:$PATH \
    UV_LINK_MODE=copy \
    UV_NO_CACHE=1 \
    UV_NO_PROGRESS=1 \
    UV_PYTHON_DOWNLOADS=never

# The packages of the lock, in a layer that only a new lock changes.
FROM tools AS packages
COPY requirements.lock ./
RUN python3 -m venv --without-pip /opt/modernizer \
 && uv pip sync --quiet --python /opt/modernizer/bin/python --require-hashes --no-build --compile-bytecode requirements.lock

# This program as a wheel, built by tools of a lock of their own.
FROM tools AS wheel
COPY requirements-build.lock ./
RUN uv pip install --quiet --python /opt/tools/bin/python --require-hashes --no-build -r requirements-build.lock
COPY pyproject.toml README.md LICENSE ./
COPY modernizer ./modernizer
RUN uv build --quiet --offline --wheel --no-build-isolation --python /opt/tools/bin/python --out-dir /dist

FROM ${BASE_IMAGE}
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates git \
 && apt-get clean \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin
COPY --from=packages /opt/modernizer /opt/modernizer
RUN --mount=type=bind,from=wheel,source=/dist,target=/dist \
    /opt/modernizer/bin/uv pip install --quiet --offline --no-cache --no-deps --compile-bytecode \
    --python /opt/modernizer/bin/python /dist/*.whl \
 && mkdir -p /var/cache/modernizer
COPY entrypoint.py /opt/modernizer/entrypoint.py

# Environments and downloads stay out of HOME, which the runner shares with the other steps of the job.
ENV LANG=C.UTF-8 \
    XDG_CACHE_HOME=/var/cache/modernizer
LABEL org.opencontainers.image.title="Notebook Modernizer" \
      org.opencontainers.image.description="Runs notebooks in today's packages, repairs the broken ones and proves the repair" \
      org.opencontainers.image.licenses="Apache-2.0"
# Root, because the workspace belongs to the runner's user; code of notebooks and packages runs as another user.
# -I: nothing in the workspace or in PYTHON* variables changes what is imported. -B: the image stays as it was built.
ENTRYPOINT ["/opt/modernizer/bin/python", "-I", "-B", "/opt/modernizer/entrypoint.py"]
