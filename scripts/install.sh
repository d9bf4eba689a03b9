#!/bin/sh
# Installs the program of a release for the current user, after comparing its checksum: sh install.sh [TAG]
# A release has it as `symposium-installer.sh`, with its own tag in place of `latest`.
#   SYMPOSIUM_INSTALL_DIR   where the program goes; by default cargo's directory `bin` if there is one, else ~/.local/bin
#   SYMPOSIUM_RELEASES      the address of other releases (`file://` too)
#   SYMPOSIUM_NO_RECEIPT=1  without the file by which `symposium self-update` knows that it was installed in this way
# It ends with 2 if the archive is not the released one, and with 3 if there is none for this system.
set -eu

release=${1:-latest}
repository=https://github.com/symposium-dev/symposium

fail() {
  printf 'error: %s\n' "$2" >&2
  exit "$1"
}

case "$(uname -s) $(uname -m)" in
  'Linux x86_64') target=x86_64-unknown-linux-musl ;;
  'Linux aarch64') target=aarch64-unknown-linux-musl ;;
  'Darwin x86_64') target=x86_64-apple-darwin ;;
  'Darwin arm64') target=aarch64-apple-darwin ;;
  MINGW*x86_64 | MSYS*x86_64) target=x86_64-pc-windows-msvc ;;
  *) fail 3 "there is no program for $(uname -s) on $(uname -m); build it with \`cargo install --git $repository --locked symposium\`" ;;
esac
case $target in
  *windows*) archive=symposium-$target.zip suffix=.exe ;;
  *) archive=symposium-$target.tar.gz suffix= ;;
esac
releases=${SYMPOSIUM_RELEASES:-$repository/releases}
case $release in
  latest) base=$releases/latest/download ;;
  *) base=$releases/download/$release ;;
esac

if [ -n "${SYMPOSIUM_INSTALL_DIR:-}" ]; then
  directory=$SYMPOSIUM_INSTALL_DIR
elif [ -d "${CARGO_HOME:-${HOME:-}/.cargo}/bin" ]; then
  directory=${CARGO_HOME:-$HOME/.cargo}/bin
else
  directory=${HOME:?there is no home directory; set SYMPOSIUM_INSTALL_DIR}/.local/bin
fi
mkdir -p "$directory" && [ -w "$directory" ] ||
  fail 1 "the directory $directory cannot be written; name another one with SYMPOSIUM_INSTALL_DIR=DIR"
directory=$(cd "$directory" && pwd -P)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

download() {
  if command -v curl >/dev/null; then
    curl --fail --silent --show-error --location --retry 2 --max-time 300 --output "$work/$1" "$base/$1"
  elif command -v wget >/dev/null; then
    wget --quiet --timeout 300 --output-document "$work/$1" "$base/$1"
  else
    fail 1 'neither curl nor wget is installed'
  fi || fail 3 "$base/$1 cannot be fetched"
}

download "$archive"
download "$archive.sha256"
wanted=$(cut -d ' ' -f 1 "$work/$archive.sha256")
found=$( (sha256sum "$work/$archive" 2>/dev/null || shasum -a 256 "$work/$archive") | cut -d ' ' -f 1)
if [ -z "$found" ] || [ "$wanted" != "$found" ]; then
  fail 2 "the checksum of $base/$archive is ${found:-unknown}, and not $wanted; nothing was installed"
fi
mkdir "$work/new"
case $archive in
  *.zip) unzip -q "$work/$archive" -d "$work/new" ;;
  *) tar xzf "$work/$archive" --strip-components=1 -C "$work/new" ;;
esac
version=$("$work/new/symposium$suffix" --version) || fail 1 'the program does not start on this system; nothing was installed'

# A program that is running is not written to: the new file takes its name.
for name in symposium cargo-agents; do
  [ -f "$work/new/$name$suffix" ] || continue
  cp "$work/new/$name$suffix" "$directory/.$name.$$"
  mv -f "$directory/.$name.$$" "$directory/$name$suffix"
done
if [ -z "${SYMPOSIUM_NO_RECEIPT:-}" ] && [ -n "${HOME:-}" ]; then
  receipts=${XDG_CONFIG_HOME:-$HOME/.config}/symposium
  mkdir -p "$receipts"
  shown=$(printf '%s' "$directory" | sed 's/[\\"]/\\&/g')
  printf '{"install_prefix":"%s","source":{"owner":"symposium-dev","name":"symposium"}}\n' "$shown" \
    >"$receipts/symposium-receipt.json"
fi
printf '%s is installed in %s\n' "$version" "$directory"
case ":$PATH:" in
  *":$directory:"*) ;;
  *) printf 'This directory is not on your PATH yet: add it there.\n' ;;
esac
