# Functions that install what a check needs, for scripts that source this file from the root of the repository.

# install_packages PACKAGE…   installs packages of Debian
install_packages() { DEBIAN_FRONTEND=noninteractive apt-get update -qq && apt-get install -qq -y "$@" >/dev/null; }

# need COMMAND PACKAGE…   installs packages of Debian where the command is missing
need() { command -v "$1" >/dev/null || install_packages "${@:2}"; }

# npm_packages FOLDER PACKAGE@VERSION…   installs packages into a folder below target/tools, where they are missing.
# --ignore-scripts keeps their dependencies from running anything meanwhile.
npm_packages() {
    if [ ! -e "$1/installed" ]; then
        mkdir -p "$1"
        echo '{"private": true}' >"$1/package.json"
        npm install --prefix "$1" --silent --no-audit --no-fund --ignore-scripts "${@:2}"
        touch "$1/installed"
    fi
}

# cargo_tool NAME@VERSION [OPTION…]   installs a program of crates.io into target/tools, where this version is missing there.
# The programs share what they are built from.
cargo_tool() {
    local tools=$PWD/target/tools
    if [ ! -e "$tools/$1" ]; then
        CARGO_TARGET_DIR=$tools/build cargo install --quiet --debug --locked --root "$tools" "$@"
        touch "$tools/$1"
    fi
}
