# An image with the program and the libraries of the solvers:
#
#     docker build --tag conjure-like .
#     docker run --rm --volume "$PWD:/data" conjure-like solve model.essence

FROM rust:1.95-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends python3-pip \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /conjure-like
COPY . .
RUN make install PREFIX=/opt/conjure-like

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libstdc++6 \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/conjure-like /usr/local
WORKDIR /data
ENTRYPOINT ["conjure-like"]
