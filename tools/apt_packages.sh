#!/usr/bin/env bash
# Make sure that Debian packages are installed; quick and silent when they are.
# usage: apt_packages.sh PACKAGE…        install the missing ones (root only)
#        apt_packages.sh --python PY     check that PY is 3.11 or newer and can make virtual environments
set -euo pipefail

die() {
    echo "apt_packages.sh: $1" >&2
    exit 1
}

install() {
    local names="$*"
    [ "$(id -u)" = 0 ] || die "not root, so please install: apt-get install $names"
    command -v apt-get >/dev/null || die "no apt-get here, please install by hand: $names"
    export DEBIAN_FRONTEND=noninteractive
    local log
    log=$(mktemp)
    trap 'rm -f "$log"' RETURN
    echo "installing: $names" >&2
    # A stale package list is as useless as none: ask for a fresh one only when the first try fails.
    apt-get install -y -q --no-install-recommends "$@" </dev/null >"$log" 2>&1 && return 0
    apt-get update -q </dev/null >"$log" 2>&1 || die "apt-get update failed: $(grep -m1 '^E:' "$log" || tail -n1 "$log")"
    apt-get install -y -q --no-install-recommends "$@" </dev/null >"$log" 2>&1 ||
        die "apt-get install $names failed: $(grep -m1 '^E:' "$log" || tail -n1 "$log")"
}

installed() {
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

if [ "${1:-}" = --python ]; then
    python=$2
    command -v "$python" >/dev/null || die "no $python here; hipify-py needs Python 3.11 or newer"
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        die "$("$python" --version) is too old; hipify-py needs Python 3.11 or newer (make PYTHON=python3.x)"
    "$python" -c 'import ensurepip, venv' 2>/dev/null && exit 0
    install python3-venv
    "$python" -c 'import ensurepip, venv' 2>/dev/null || die "$python cannot make virtual environments (ensurepip is missing)"
    exit 0
fi

missing=()
for name in "$@"; do
    installed "$name" || missing+=("$name")
done
[ ${#missing[@]} = 0 ] || install "${missing[@]}"
