/** Objects instead of text, in every parameter of every kind. */
import { type CheckContext, check, type JsonObject } from '../../../harness/checks/index.ts'
import { accepts, goodBody, KINDS, type Kind, kindsOf, refusesBody } from '../fixtures.ts'

const TEXTS: Record<Kind, string[]> = {
  pkcs11: ['library', 'key_label', 'key_id', 'mechanism', 'pin', 'slot', 'token_label', 'curve', 'key_bits', 'force_rw_session'],
  cloudakms: ['access_key', 'secret_key', 'curve', 'endpoint', 'key_bits', 'key_type', 'kms_key', 'region'],
  cloudbkeyvault: ['tenant_id', 'client_id', 'client_secret', 'environment', 'vault_name', 'key_name', 'resource', 'key_bits', 'key_type'],
  cloudckms: ['credentials', 'crypto_key', 'crypto_key_version', 'key_ring', 'project', 'region', 'algorithm'],
}
const CLAUSES: Record<Kind, string> = {
  pkcs11: 'MANAGED-KEYS-PKCS-23',
  cloudakms: 'MANAGED-KEYS-AKMS-11',
  cloudbkeyvault: 'MANAGED-KEYS-BVAULT-09',
  cloudckms: 'MANAGED-KEYS-CKMS-06',
}

for (const kind of KINDS)
  check(`managed-keys/${kind}-objects`, CLAUSES[kind], `an object is not a parameter of kind ${kind}`, async ({ bench }) => {
    const good = goodBody(bench, kind)
    for (const field of bench.few(TEXTS[kind])) {
      await refusesBody(bench, kind, { ...good, [field]: { a: 'b' } }, good, `${field} as an object`)
      await refusesBody(bench, kind, { ...good, [field]: [['a']] }, good, `${field} as a list of lists`, { update: false })
    }
  })

const FLAGS = ['allow_generate_key', 'allow_replace_key', 'allow_store_key', 'any_mount']

check('managed-keys/flags-objects', 'MANAGED-KEYS-FLAG-09', 'an object is not a flag', async ({ bench }) => {
  for (const kind of bench.few(kindsOf(bench), 2)) {
    const good = goodBody(bench, kind)
    for (const flag of bench.few(FLAGS, 2))
      for (const value of [{ a: 'b' }, [['true']]])
        await refusesBody(
          bench,
          kind,
          { ...good, [flag]: value },
          { ...good, [flag]: 'false' },
          `${flag} of ${kind}: ${JSON.stringify(value)}`,
        )
  }
})

check('managed-keys/flags-words', 'MANAGED-KEYS-FLAG-10', 'a flag is true or false', async ({ bench }) => {
  const good = goodBody(bench, 'pkcs11')
  for (const flag of bench.few(FLAGS, 2))
    await refusesBody(bench, 'pkcs11', { ...good, [flag]: 'perhaps' }, { ...good, [flag]: 'true', key_bits: 2048 }, flag)
})

check('managed-keys/flags-booleans', 'MANAGED-KEYS-FLAG-11', 'flags as JSON booleans', async ({ bench }) => {
  const name = bench.fresh('key')
  bench.defer(() => bench.call('managedKeys.delete', { path: { type: 'pkcs11', name } }))
  const body = { ...goodBody(bench, 'pkcs11'), any_mount: true }
  bench.observe(
    'MANAGED-KEYS-FLAG-11',
    (await bench.call('managedKeys.writePkcs11', { path: { name }, body, invalid: true, observing: true })).status,
  )
})

/** Statuses of bodies that lack something which the environment of a server may give, or whose value may be judged late. */
const observed = async ({ bench }: CheckContext, kind: Kind, clause: string, changes: Record<string, JsonObject>): Promise<void> => {
  const seen: JsonObject = {}
  for (const [label, change] of Object.entries(changes)) {
    const name = bench.fresh('key')
    bench.defer(() => bench.call('managedKeys.delete', { path: { type: kind, name } }))
    const body = Object.fromEntries(Object.entries({ ...goodBody(bench, kind), ...change }).filter(([, value]) => value !== null))
    const operation = `managedKeys.write${kind[0]!.toUpperCase()}${kind.slice(1)}`
    seen[label] = (await bench.call(operation, { path: { name }, body, invalid: true, observing: true })).status
  }
  bench.observe(clause, seen)
}

check(
  'managed-keys/cloudakms-open',
  ['MANAGED-KEYS-AKMS-12', 'MANAGED-KEYS-AKMS-13'],
  'what the document leaves open of kind a',
  async (context) => {
    await observed(context, 'cloudakms', 'MANAGED-KEYS-AKMS-12', {
      'no access_key': { access_key: null },
      'no secret_key': { secret_key: null },
    })
    await observed(context, 'cloudakms', 'MANAGED-KEYS-AKMS-13', { 'no URL': { endpoint: 'no url' } })
  },
)
check(
  'managed-keys/cloudbkeyvault-open',
  ['MANAGED-KEYS-BVAULT-10', 'MANAGED-KEYS-BVAULT-11'],
  'a key of kind b without client, and in another environment',
  async (context) => {
    await observed(context, 'cloudbkeyvault', 'MANAGED-KEYS-BVAULT-10', {
      'no client_id': { client_id: null },
      'no client_secret': { client_secret: null },
    })
    await observed(context, 'cloudbkeyvault', 'MANAGED-KEYS-BVAULT-11', { another: { environment: 'CLOUDBUSGOVERNMENTCLOUD' } })
  },
)
check('managed-keys/cloudckms-open', 'MANAGED-KEYS-CKMS-07', 'a key of kind c without what may come from the environment', (context) =>
  observed(context, 'cloudckms', 'MANAGED-KEYS-CKMS-07', {
    credentials: { credentials: null },
    project: { project: null },
    region: { region: null },
  }),
)

check(
  'managed-keys/pkcs11-key-bits-to-generate',
  'MANAGED-KEYS-PKCS-19',
  'each size is taken for a key that may be generated',
  async ({ bench, expect }) => {
    for (const key_bits of [2048, 3072, 4096])
      await accepts(
        { bench, expect },
        'pkcs11',
        { ...goodBody(bench, 'pkcs11'), allow_generate_key: 'true', key_bits },
        `key_bits ${key_bits}`,
      )
  },
)
