# Sourced by the scripts that compile against a finished build, in the folder of the package.

# The folder of the Swift toolchain.
toolchain=$(dirname "$(dirname "$(realpath "$(command -v swiftc)")")")

# Adds to the array `paths` what a compiler needs to import the modules of a build.
add_modules() { # BUILD
    local map
    paths+=(-I "$1/Modules")
    for map in {Sources,Satellites,Tools}/*/module.modulemap "$1"/*.build/module.modulemap; do
        # The tools of plugins have a build of their own: Module-tool.build.
        if [[ -f $map && $map != *-tool.build/* ]]; then paths+=(-Xcc "-fmodule-map-file=$map"); fi
    done
}

# Adds the macros of Swift Testing.
add_testing() {
    paths+=(-plugin-path "$toolchain/lib/swift/host/plugins/testing")
}
