// Imports run one way: specs <- harness <- suites; specs <- reports; specs <- reference. Only the command line joins them.
const only = (name, from, allowed, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from, pathNot: '\\.test\\.tsx?$|^suites/vitest\\.config\\.ts$' },
  to: { path: '^(specs|harness|suites|reports|reference|tests|bench|authoring)/', pathNot: allowed },
})

// The folders of harness/ in their order: each knows only those before it. Tests may bring up what a later folder offers.
const HARNESS = [
  ...['base', 'contract', 'target', 'oracles', 'backends', 'checks'],
  ...['secrets', 'cleanup', 'planning', 'sending', 'running', 'outcomes'],
  ...['history', 'replay', 'against', 'results', 'shards', 'mutation', 'cli'],
]
const inOrder = HARNESS.map((folder, place) => ({
  name: `harness-order-${folder}`,
  severity: 'error',
  comment: `harness/${folder} may import only the folders before it: ${HARNESS.slice(0, place).join(', ')}`,
  from: { path: `^harness/${folder}/`, pathNot: '\\.test\\.ts$' },
  to: { path: '^harness/', pathNot: `^harness/(${HARNESS.slice(0, place + 1).join('|')})/` },
}))

module.exports = {
  forbidden: [
    ...inOrder,
    only('specs-alone', '^specs/', '^specs/', 'The contract depends on nothing.'),
    only('harness', '^harness/(?!cli/)', '^(harness/(?!cli/)|specs/)', 'The harness knows the specs only.'),
    only('suites', '^suites/', '^(suites/|harness/checks/index\\.ts$)', 'Suites see what harness/checks offers, and their own folder.'),
    { name: 'suite-apart', severity: 'error', from: { path: '^suites/([^/]+)/' }, to: { path: '^suites/', pathNot: '^suites/$1/' } },
    only('reports', '^reports/', '^(reports/|specs/)', 'Reports know the results schema only.'),
    only(
      'authoring',
      '^authoring/',
      '^(authoring|harness|reference|specs)/',
      'What authors use sees all but suites, which it reads by name.',
    ),
    only('reference', '^reference/', '^(reference/|specs/)', 'Shared code would hide shared mistakes.'),
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
    {
      name: 'engine-apart',
      severity: 'error',
      comment: 'An engine of the reference gets services, not the server, and knows no other engine.',
      from: { path: '^reference/engines/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^reference/(engines/|core/server)', pathNot: '^reference/engines/$1/' },
    },
    { name: 'no-circles-of-types', severity: 'error', from: {}, to: { circular: true } },
    ...[
      ['reference/core/', 'reference/http/'],
      ['reference/(core|http|run-management)/', 'reference/faults/'],
      ['reference/(core|http|run-management|faults)/', 'reference/engines/'],
      ['reference/core/', 'reference/run-management/'],
      ['harness/target/[^/]+$', 'harness/target/provisioners/'],
      ['reports/page/', 'reports/formats/'],
    ].map(([from, to]) => ({
      name: `below-${to.slice(0, -1).replaceAll('/', '-')}`,
      severity: 'error',
      comment: `${to} builds on ${from}, and never the other way round.`,
      from: { path: `^${from}`, pathNot: '\\.test\\.ts$' },
      to: { path: `^${to}` },
    })),
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-development-tools',
      severity: 'error',
      // Mutants are made in a checkout only; instrument.ts says so elsewhere.
      from: { path: '^(harness|suites|reports|reference)/', pathNot: '\\.test\\.tsx?$|/testing/|^harness/mutation/instrument\\.ts$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'require', 'types'],
      extensions: ['.ts', '.tsx', '.js'],
    },
    tsPreCompilationDeps: 'specify',
    tsConfig: { fileName: 'tsconfig.json' },
  },
}
