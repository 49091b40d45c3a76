#!/bin/sh
# The main job from a fresh clone: write down what should run, look, plan, be refused, understand why.
# It works in a folder of its own, needs no server, and fails when an answer is not the expected one.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$root/examples/home/"* .

expect() { # expect CODE COMMAND...: shows the command, runs it, and checks its exit code
  wanted=$1
  shift
  printf '\n$ dedalus %s\n' "$*"
  code=0
  "$root/bin/dedalus" "$@" || code=$?
  if [ "$code" -ne "$wanted" ]; then
    echo "demo: exit code $code, expected $wanted" >&2
    exit 1
  fi
}

echo "1. Start a place of your own: commented files, ready to edit."
expect 0 init mine --operator demo
expect 0 doctor --config mine/dedalus.yaml

echo
echo "2. Plan from a recorded look: steps, one refusal, and what is settled. Nothing is changed."
expect 4 plan --desired desired.yaml --replay current.json --out plan.json

echo
echo "3. Why? One answer, with the rules that were weighed."
expect 0 explain plan.json --vm 102

echo
echo "4. Production is not stopped, whoever asks."
expect 3 plan --desired desired-stop-production.yaml --replay current.json

echo
echo "5. The same inputs give the same plan, byte for byte."
"$root/bin/dedalus" plan --desired desired.yaml --replay current.json --out again.json >again.txt || [ $? -eq 4 ]
cmp plan.json again.json
echo "plan.json and again.json are identical."
