# The image holds Python, the locked dependencies and the wheel, and nothing else.
ARG PYTHON=3.13

FROM python:${PYTHON}-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
WORKDIR /src
COPY requirements.lock requirements-build.lock ./
RUN python -m venv --without-pip /opt/gameboard \
    && python -m pip --python /opt/gameboard/bin/python install --no-deps --require-hashes -r requirements.lock \
    && python -m pip install --no-deps --require-hashes -r requirements-build.lock
COPY pyproject.toml README.md LICENSE ./
COPY app app
COPY engines engines
COPY gameboard gameboard
RUN python -m pip wheel --no-build-isolation --no-deps --no-index --wheel-dir /dist . \
    && python -m pip --python /opt/gameboard/bin/python install --no-deps --no-index /dist/*.whl \
    && python -m pip --python /opt/gameboard/bin/python check \
    && find /opt/gameboard -type d -name tests -prune -exec rm -r {} +

FROM python:${PYTHON}-slim
COPY --from=build /opt/gameboard /opt/gameboard
ENV PATH=/opt/gameboard/bin:$PATH PYTHONUNBUFFERED=1
# The standard library comes as source only: what the server imports of it is compiled here, not anew at every start.
RUN PYTHONDONTWRITEBYTECODE=1 /usr/local/bin/python -m pip uninstall --yes --root-user-action ignore pip \
    && rm -f /usr/local/bin/pip \
    && python -c "import app.__main__, app.asgi"
WORKDIR /
USER 10001:10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
# Options after the image's name are added: docker run … gameboard-server --workers 4
ENTRYPOINT ["python", "-m", "app", "--host", "0.0.0.0", "--port", "8000"]
