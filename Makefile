# Set-up, build and tests; the README describes each target. All results stay in the checkout: the solvers' libraries in
# .solvers, the build in target.

PREFIX ?= $(HOME)/.local
# The cache for the wheels of the solvers.
WHEELS ?= .solver-wheels
# The features of the program. Packages also read SQLite tables: cli,sqlite.
FEATURES ?= cli
TARGET := $(or $(CARGO_TARGET_DIR),target)

.PHONY: demo build test fuzz certify-test verified-test editor-test grammar solvers fetch install wheel deb wheel-test man python-test jupyter-test vendored web web-test npm npm-test app app-test page-test cluster-test mcp-test workflow-test release reproducible-test windows windows-test windows-suite macos-test aarch64-test
demo: build
	$(TARGET)/release/conjure-like solve models/futoshiki.essence params/futoshiki-4.param

build: solvers
	cargo build --release --locked --features $(FEATURES)

test: solvers
	cargo test --release --locked --features $(FEATURES)

# Runs each fuzz target for this many seconds; see fuzz/run.
SECONDS ?= 60
fuzz: solvers
	fuzz/run $(SECONDS)

# The clients in editors; for their requirements see clients/editors/README.md.
editor-test: build
	clients/editors/test

# An archive of the tree-sitter grammar with its parser, for editors that compile it, in the folder dist.
grammar:
	tools/build-grammar dist

solvers: .solvers/lib

.solvers/lib: tools/fetch-solvers tools/z3-requirements.txt tools/ortools-requirements.txt
	tools/fetch-solvers .solvers $(WHEELS)

# The libraries for another system and machine, such as windows-x86_64, for which Linux can build.
.solvers-%/lib: tools/fetch-solvers tools/z3-requirements.txt tools/ortools-requirements.txt
	tools/fetch-solvers .solvers-$* $(WHEELS) $*

fetch:
	tools/fetch-solvers .solvers $(WHEELS)

# Installs a relocatable pair: bin/conjure-like looks for its libraries in ../lib/conjure-like. CONJURE=1 adds the name
# `conjure`, for programs that call Conjure.
install: build
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/conjure-like
	install -m 644 .solvers/lib/libz3.so.5.3 $(DESTDIR)$(PREFIX)/lib/conjure-like/
	if [ -d .solvers/lib/ortools ]; then \
	    cp -R .solvers/lib/ortools .solvers/lib/ortools.libs $(DESTDIR)$(PREFIX)/lib/conjure-like/; \
	fi
	if [ -f clients/web/app.html ]; then \
	    install -m 644 clients/web/app.html $(DESTDIR)$(PREFIX)/lib/conjure-like/; \
	fi
	install -m 755 $(TARGET)/release/conjure-like $(DESTDIR)$(PREFIX)/bin/
	tools/forget-checkout $(DESTDIR)$(PREFIX)/bin/conjure-like
	if [ -n "$(CONJURE)" ]; then ln -sf conjure-like $(DESTDIR)$(PREFIX)/bin/conjure; fi

# Packages in the folder dist: a wheel for pip with the Python package, and one for Debian. They run with glibc 2.28 or
# later.
wheel: solvers
	tools/build-wheel dist

deb: solvers
	tools/build-deb dist

wheel-test: wheel
	tools/test-wheel dist/conjure_like-*.whl

# Packages for other systems and machines in the folder dist, built on Linux with packages of Debian. Archive, wheel and
# extension for Windows are built by mingw and tested with Wine, those for macOS are built by zig and inspected, those
# for Linux on aarch64 are built by GNU's compiler and tested with QEMU.
KINDS := archive wheel extension

windows:
	for kind in $(KINDS); do tools/build-$$kind dist windows-x86_64 || exit; done

windows-test:
	for kind in $(KINDS); do package=$$(tools/build-$$kind dist windows-x86_64) && tools/test-windows "$$package" || exit; done

# The tests of `make test`, as programs for Windows.
windows-suite: solvers
	tools/test-windows-suite

macos-test:
	python=$$(tools/venv packages tools/package-requirements.txt); for machine in aarch64 x86_64; do for kind in $(KINDS); do \
	    package=$$(tools/build-$$kind dist macos-$$machine) && "$$python" tools/test-macos "$$package" || exit; \
	done; done

aarch64-test:
	for kind in $(KINDS) deb; do package=$$(tools/build-$$kind dist linux-aarch64) && RUN=tools/qemu tools/test-archive "$$package" || exit; done

# A campaign on Slurm and on GNU parallel, on this machine.
cluster-test: build
	tools/test-cluster

# Tests the server for assistants with a third-party client.
mcp-test: build
	CONJURE_LIKE=$(abspath $(TARGET))/release/conjure-like tools/test-mcp

# Certificates, checked by VeriPB, an independent checker. It is built once, outside the checkout.
VERIPB ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/conjure-like/tools/bin/veripb
certify-test: build $(VERIPB)
	CONJURE_LIKE=$(abspath $(TARGET))/release/conjure-like VERIPB=$(VERIPB) tools/test-certify

$(VERIPB):
	env -u CARGO_TARGET_DIR cargo install veripb --version 3.0.2 --locked --root $(patsubst %/bin/veripb,%,$(VERIPB))

# Proofs and certificates, checked by the formally verified checkers of CakeML. CAKE_LPR and CAKE_PB name them, or they
# are in PATH; missing ones are skipped.
verified-test: build $(VERIPB)
	VERIPB=$(VERIPB) cargo test --release --locked --features $(FEATURES) --test verified -- --nocapture

# The workflows of the forge, and the version and URLs of all packages.
workflow-test:
	tools/test-workflows

# All parts of a release that this machine can build, each tested in isolation; see docs/releasing.md. PARTS=machine
# skips the parts that are the same on every machine.
PARTS ?= all
release: solvers
	tools/release dist $(PARTS)

# Builds a release twice, from two checkouts of the last commit, and compares the bytes.
reproducible-test: solvers
	tools/test-reproducible $(PARTS)

# Pages for `man` in $(TARGET)/man.
man: build
	$(TARGET)/release/conjure-like man $(TARGET)/man

# The Python package and the notebooks. If CONJURE_NOTEBOOKS names the folder docs of Conjure, its notebooks run, too.
python-test: build
	CONJURE_LIKE=$(abspath $(TARGET))/release/conjure-like tools/test-python

# The app of a model in JupyterLab, in a browser.
jupyter-test: build app
	CONJURE_LIKE=$(abspath $(TARGET))/release/conjure-like tools/test-jupyter clients/web/app.html

# The pages that solve in the browser, as static files in clients/web/dist; for their requirements see
# clients/web/README.md.
web:
	tools/build-web clients/web/dist

# The page with the engine into which `conjure-like app` puts models; `make install` installs it beside the program.
app:
	tools/build-app clients/web/app.html

app-test: build app
	tools/test-app clients/web/app.html

web-test: build web
	tools/test-web clients/web/dist

# The package for npm in the folder dist: the engine of the pages, for programs in JavaScript and TypeScript.
npm:
	tools/build-npm dist

npm-test: npm
	tools/test-npm dist/conjure-like-*.tgz

# The pages that the program writes, in a browser.
page-test: build
	tools/test-pages

# One self-contained program. Needs g++ 13 or later and CMake 3.26 or later.
vendored:
	cargo build --release --locked --features cli,vendored
