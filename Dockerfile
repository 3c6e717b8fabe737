# docker build -t hanalyze . && docker run --rm -v "$PWD:/work" hanalyze mistakes sample_logs/game.json
FROM python:3.13-slim
RUN --mount=type=bind,target=/source,rw pip install --no-cache-dir -c /source/constraints.txt '/source[all]'
ENV XDG_CACHE_HOME=/tmp/cache
WORKDIR /work
ENTRYPOINT ["hanalyze"]
