# Sourced by each finding: a folder of its own, removed at the end, with the packages that it names.
set -euo pipefail

# The environment has exactly the packages given, in a folder that is the working directory from here on.
in_new_environment() {
  here=$(cd "$(dirname "${BASH_SOURCE[1]}")" && pwd)
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  python3 -m venv "$folder/venv"
  "$folder/venv/bin/pip" install --quiet "$@"
  export PATH="$folder/venv/bin:$PATH" PYTHONPATH="$here"
  cd "$folder"
}
