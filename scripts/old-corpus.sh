#!/usr/bin/env bash
# The corpus of 9,460 faults that stood here until commit fd6956dd, beside today's harness and suites: makes a working copy in FOLDER whose reference/
# is that of the commit, builds it, and says how the whole corpus is tried there.
set -eu
folder=${1:?usage: scripts/old-corpus.sh FOLDER}
cd "$(dirname "$0")/.."
git worktree add --detach "$folder" HEAD
ln -s "$PWD/node_modules" "$folder/node_modules"
cd "$folder"
rm -rf reference
# Files of that time register their faults instead of exporting them: the build has to know.
git archive fd6956dd reference scripts/compile.js | tar x
# What the harness asks for stands elsewhere today.
mkdir reference/faults
printf "export * from '../mutations/index.ts'\nexport const FIRST_FAULTS = []\n" >reference/faults/index.ts
printf '{}\n' >authoring/last-killers.json
node scripts/build.js
printf 'the old corpus is ready: cd %s && npx assay prove --all-killers --out DIR\n' "$folder"
