# Sourced by the tools beside it: makes .venv on first use, and again when pyproject.toml changes.
# Needs nothing but python3 (3.11 or later) with venv and pip.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv="$root/.venv"

# ensure_environment WHAT: installs the package, or with WHAT=dev what the checks need too.
ensure_environment() {
    local what=$1 stamp="$venv/.catpy-$1" python=${PYTHON:-python3}
    if [ -x "$venv/bin/python" ] && cmp -s "$stamp" "$root/pyproject.toml"; then
        return
    fi
    if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        echo "catpy needs python3, 3.11 or later (PYTHON=… names another one)" >&2
        exit 2
    fi
    if ! "$venv/bin/python" -c '' 2>/dev/null; then
        echo "catpy: making $venv" >&2
        if ! "$python" -m venv --clear "$venv" >&2; then
            echo "catpy: python3 cannot make a virtual environment; on Debian: apt install python3-venv" >&2
            exit 2
        fi
    fi
    local target="$root"
    [ "$what" = dev ] && target="$root[dev]"
    if ! "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -e "$target" >&2; then
        echo "catpy: the packages could not be installed into $venv" >&2
        exit 2
    fi
    # What the checks need includes what running needs.
    cp "$root/pyproject.toml" "$venv/.catpy-run"
    [ "$what" = dev ] && cp "$root/pyproject.toml" "$stamp"
    return 0
}
