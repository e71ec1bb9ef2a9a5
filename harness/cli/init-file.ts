/** The text of the configuration that `assay init` writes: every choice with a comment that says what it is for. */
import { Document, type Pair, type Scalar, visit } from 'yaml'

/** Comments by path; a number in a path stands for any member of a list. */
const COMMENTS: Record<string, string> = {
  name: 'Name of the server in reports.',
  targets: 'What is certified: an API of a server, or more of them.',
  timing:
    'grace: how long expiry and rotation may lag. timeout: for one exchange. run: for the whole run; by the effort, where it is left out.',
  concurrency: 'Requests at once.',
  rate: 'Requests per second at most; 0: no limit.',
  'targets.api': 'Which of the two APIs; a server of both has a target for each.',
  'targets.url': 'Where it listens, without the base path of the API (/v1, /api/v2).',
  'targets.dialect': 'How the server spells the names of the contract: native, vault, or a file of yours.',
  'targets.namespace': 'Namespace in which everything happens; empty: the root.',
  'targets.engines': 'What the server claims to implement: all of it has to hold. Take out what it does not claim.',
  'targets.tls': 'Also: clientCert with clientKey, and skipVerify.',
  'targets.identities':
    'Callers; root may do everything. Keep tokens out of this file: tokenEnv names a variable, tokenFile a file, tokenCommand a command.',
  'targets.provisioner':
    'How the server is prepared: sys makes throw-away mounts and tokens through its own endpoints, static uses what mounts and fixtures name, command asks a program or URL of yours.',
  'targets.mounts': 'For static: mount type -> { path, disposable }. Only where disposable is true may a check change what is mount-wide.',
  'targets.fixtures': 'For static: purpose -> object, or a list of them; specs/run-management/fixtures.yaml says which.',
  'targets.allow': 'What disturbs other users of the server and may still be done: seal, oversize (34 MB bodies), rotateRoot.',
  'targets.without':
    'What the server lacks and need not have: namespaces, leases, tuning, identities, mounts, identityTemplates, replaceCa, pkcs11 (managed keys in a hardware module), or operations by id. Checks that need it are left out, and the report says so.',
  'targets.settings':
    'Engine -> what its checks ask for, e.g. core: { unsealKey: { env: ASSAY_CORE_UNSEAL_KEY } } where allow has seal, or ssh: { identityTemplate: "..." }.',
  'targets.limits': 'maxRequestBytes, where the largest request is not 32 MB.',
  'targets.backends':
    'Real systems behind the server: name -> URL with user name and password. host: this machine as the server reaches it. What is not named is started on this machine where it can be had (npx assay backends).',
}

/**
 * A configuration as text.
 *
 * @param notes lines for its head.
 */
export const configurationText = (config: object, notes: readonly string[]): string => {
  const document = new Document(config)
  document.commentBefore = notes.map((note) => ` ${note}`).join('\n')
  visit(document, {
    Pair(_, pair, path) {
      const keys = [...path, pair].flatMap((node) =>
        typeof node === 'object' && 'key' in node ? [String((node as Pair<Scalar>).key.value)] : [],
      )
      const comment = COMMENTS[keys.join('.')]
      if (comment !== undefined) (pair as Pair<Scalar>).key.commentBefore = ` ${comment}`
    },
  })
  return document.toString({ lineWidth: 0 })
}
