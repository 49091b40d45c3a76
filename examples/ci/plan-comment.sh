#!/bin/sh
# Plans a desired file on a recorded observation and writes what a review needs: plan-result.json for programs, comment.md for people.
#
#   plan-comment.sh DESIRED OBSERVATION
#
# Exits with 0 when the verdict is clear (with or without steps), and otherwise as dedalus plan does: 3 refused, 2 bad input.
# Nothing is observed and nothing is applied: no credential of a provider is needed here.
set -u
desired=$1
observation=$2

dedalus plan --desired "$desired" --replay "$observation" --json > plan-result.json
code=$?
text=$(NO_COLOR=1 dedalus plan --desired "$desired" --replay "$observation" 2>&1)

case $code in
  0) title='Nothing to do' ;;
  4) title='Steps to apply' ;;
  3) title='Refused' ;;
  2) title='Bad input' ;;
  *) title='No plan could be made' ;;
esac
# The marker lets the next run find this comment and replace it. The fence is longer than any that a name could hold open.
{
  echo '<!-- dedalus plan -->'
  echo "### Dedalus plan of \`$desired\`: $title"
  echo
  echo '~~~~~~~~~~~~text'
  printf '%s\n' "$text"
  echo '~~~~~~~~~~~~'
  echo
  echo "Planned on the recorded observation \`$observation\`; what is applied is planned again on a live one."
} > comment.md

case $code in 0 | 4) exit 0 ;; *) exit "$code" ;; esac
