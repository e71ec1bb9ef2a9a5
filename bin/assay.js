#!/usr/bin/env node
// Only syntax that every Node understands stands here: an old one has to come as far as the sentence that says what is wanted.
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write('assay: this is Node ' + process.versions.node + ', and assay needs Node 20.19 or a newer one: https://nodejs.org\n')
  process.exitCode = 2
} else {
  import('../dist/harness/cli/main.js').then((cli) => cli.main(process.argv))
}
