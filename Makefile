# Set-up, build and tests; the README tells what each target is for. All that is made stays in the
# checkout: libz3 in .z3, the build in target.

PREFIX ?= $(HOME)/.local
# Where the wheel with libz3 is kept, so that it need not be downloaded again.
WHEELS ?= .z3-wheel
TARGET := $(or $(CARGO_TARGET_DIR),target)

.PHONY: demo build test fuzz z3 install vendored
demo: build
	$(TARGET)/release/conjure-like solve models/futoshiki.essence params/futoshiki-4.param

build: z3
	cargo build --release --locked

test: z3
	cargo test --release --locked

# Runs each fuzz target so long; fuzz/run tells more.
SECONDS ?= 60
fuzz: z3
	fuzz/run $(SECONDS)

z3: .z3/lib/pkgconfig/z3.pc

.z3/lib/pkgconfig/z3.pc: tools/fetch-z3 tools/z3-requirements.txt
	tools/fetch-z3 .z3 $(WHEELS)

# A pair that may be moved together: bin/conjure-like looks for lib/conjure-like/libz3.so.5.3 beside it.
install: build
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/conjure-like
	install -m 644 .z3/lib/libz3.so.5.3 $(DESTDIR)$(PREFIX)/lib/conjure-like/
	install -m 755 $(TARGET)/release/conjure-like $(DESTDIR)$(PREFIX)/bin/

# One self-contained program. Needs g++ 13 or later and CMake 3.26 or later.
vendored:
	cargo build --release --locked --features vendored
