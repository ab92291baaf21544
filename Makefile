Z3_VERSION := 5.3.3
Z3_WHEEL := 5.3.3.0

.PHONY: z3
z3: .z3/lib/pkgconfig/z3.pc

.z3/lib/pkgconfig/z3.pc:
	rm -rf .z3 && mkdir -p .z3/lib/pkgconfig
	python3 -m pip download --quiet --no-deps --dest .z3 z3-solver==$(Z3_WHEEL)
	cd .z3 && python3 -m zipfile -e z3_solver-*.whl wheel && mv wheel/z3/include include && mv wheel/z3/lib/libz3.so lib/libz3.so.5.3
	ln -s libz3.so.5.3 .z3/lib/libz3.so
	rm -rf .z3/wheel .z3/*.whl
	printf 'prefix=$${pcfiledir}/../..\nName: z3\nDescription: Z3\nVersion: $(Z3_VERSION)\nLibs: -L$${prefix}/lib -lz3\nCflags: -I$${prefix}/include\n' > $@
