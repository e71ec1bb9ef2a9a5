/** Managed keys as checks make and read them. */
import {
  type Answer,
  asObject,
  type Bench,
  type CallInput,
  type CheckContext,
  type Json,
  type JsonObject,
  textsIn,
} from '../../harness/checks/index.ts'

export const KINDS = ['pkcs11', 'cloudakms', 'cloudbkeyvault', 'cloudckms'] as const
export type Kind = (typeof KINDS)[number]

/** Kinds whose keys are listed, read and deleted without doubt. */
export const READABLE = ['pkcs11', 'cloudakms', 'cloudbkeyvault'] as const

const isAvailable =
  (bench: Bench) =>
  (kind: Kind): boolean =>
    kind !== 'pkcs11' || !bench.lacks('pkcs11')

/** The kinds that the target has: `without: [pkcs11]` in its configuration leaves out that kind. */
export const kindsOf = (bench: Bench): Kind[] => KINDS.filter(isAvailable(bench))

/** Those of them that are readable. */
export const readableOf = (bench: Bench): (typeof READABLE)[number][] => READABLE.filter(isAvailable(bench))

/** A readable kind, for what is the same of all kinds. */
export const anyKind = (bench: Bench): (typeof READABLE)[number] => readableOf(bench)[0]!

const WRITES: Record<Kind, string> = {
  pkcs11: 'managedKeys.writePkcs11',
  cloudakms: 'managedKeys.writeCloudakms',
  cloudbkeyvault: 'managedKeys.writeCloudbkeyvault',
  cloudckms: 'managedKeys.writeCloudckms',
}

/** The operation that writes keys of a kind. */
export const writeOf = (kind: Kind): string => WRITES[kind]

/** The name of the library stanza in the configuration of the target. */
export const libraryOf = (bench: Bench): string =>
  (bench.lacks('pkcs11') ? bench.blocked('the target is without keys of kind pkcs11', 'see `without`', 'pkcs11') : undefined) ??
  bench.setting<string>('managedKeys.library') ??
  bench.blocked('the name of a library stanza of the target is not known', 'set settings.managedKeys.library in the configuration')

/** The namespace beside the root in which managed keys are administered. */
export const administrativeOf = (bench: Bench): string =>
  bench.setting<string>('managedKeys.administrativeNamespace') ??
  bench.blocked(
    'the administrative namespace of the target is not known',
    'set settings.managedKeys.administrativeNamespace in the configuration',
  )

/** Where keys are administered: in the root, and in the administrative namespace where it is known. */
export const placesOf = (bench: Bench): { namespace?: string }[] => {
  const namespace = bench.setting<string>('managedKeys.administrativeNamespace')
  return namespace === undefined ? [{}] : [{}, { namespace }]
}

/** What a key of kind pkcs11 needs. */
export const moduleBody = (bench: Bench, library: string): JsonObject => ({
  library,
  key_label: 'label',
  mechanism: '0x1',
  pin: bench.canary('pin'),
  token_label: 'token',
})

/** Parameters with which a key of a kind is accepted; no backend has to know any of it. */
export const goodBody = (bench: Bench, kind: Kind): JsonObject => {
  const bodies: Record<Kind, () => JsonObject> = {
    pkcs11: () => moduleBody(bench, libraryOf(bench)),
    cloudakms: () => ({
      access_key: 'AKIAASSAY',
      secret_key: bench.canary('secret'),
      key_type: 'RSA',
      key_bits: '2048',
      kms_key: 'alias/assay',
    }),
    cloudbkeyvault: () => ({
      tenant_id: 'tenant',
      client_id: 'client',
      client_secret: bench.canary('secret'),
      vault_name: 'vault',
      key_name: 'key',
      key_type: 'RSA-HSM',
      key_bits: '2048',
    }),
    cloudckms: () => ({
      credentials: '/etc/assay/credentials.json',
      crypto_key: 'key',
      key_ring: 'ring',
      project: 'project',
      region: 'europe-west1',
      algorithm: 'EC_SIGN_P256_SHA256',
    }),
  }
  return bodies[kind]()
}

/** The same for a key of kind pkcs11 in a slot, not in a token with a label. */
export const inSlot = (bench: Bench, slot: string): JsonObject => {
  const { token_label: _, ...body } = goodBody(bench, 'pkcs11')
  return { ...body, slot }
}

/** Removes a key after the check, whatever came of it. */
export const removeLater = (bench: Bench, kind: Kind, name: string, { namespace }: Pick<CallInput, 'namespace'> = {}): void => {
  const object = { path: { type: kind, name }, ...(namespace === undefined ? {} : { namespace }) }
  // Whether keys of this kind can be deleted is open.
  if (kind === 'cloudckms') bench.defer(() => bench.call('managedKeys.delete', object))
  else bench.leaves('managedKeys.delete', object)
}

/** Writes a key that has to be accepted; it goes after the check. */
export const givenKey = async (
  bench: Bench,
  kind: Kind,
  body: JsonObject = goodBody(bench, kind),
  name = bench.fresh('key'),
  where: CallInput = {},
): Promise<string> => {
  removeLater(bench, kind, name, where)
  await bench.given(writeOf(kind), { ...where, path: { name }, body })
  return name
}

/** Asserts that a body is accepted for a new name; the key goes after the check. Returns its name. */
export const accepts = async (
  { bench, expect }: Pick<CheckContext, 'bench' | 'expect'>,
  kind: Kind,
  body: JsonObject,
  label: string,
): Promise<string> => {
  const name = bench.fresh('key')
  removeLater(bench, kind, name)
  expect(await bench.call(writeOf(kind), { path: { name }, body }), label).toSucceed()
  return name
}

/** The fields of a read, at the top level or under `data`. */
export const fieldsOf = (answer: Answer): JsonObject => {
  const body = asObject(answer.body)
  return 'type' in body || 'UUID' in body ? body : answer.data
}

/** The names of a listing, at the top level or under `data`. */
export const namesOf = (answer: Answer): string[] => {
  const keys = asObject(answer.body).keys ?? answer.data.keys
  return textsIn(keys)
}

/** What is there under a name now: status and fields. */
export const stateOf = async (bench: Bench, kind: string, name: string, where: CallInput = {}): Promise<Json> => {
  const answer = await bench.call('managedKeys.read', { ...where, path: { type: kind, name } })
  return answer.ok ? fieldsOf(answer) : { status: answer.status }
}

/** The fields of a key that has to be there. */
export const readKey = async (bench: Bench, kind: Kind, name: string, where: CallInput = {}): Promise<JsonObject> =>
  fieldsOf(await bench.given('managedKeys.read', { ...where, path: { type: kind, name } }))

const ROW = [
  ...['allow_generate_key', 'allow_replace_key', 'allow_store_key', 'any_mount', 'curve', 'force_rw_session', 'key_bits', 'key_label'],
  ...['library', 'mechanism', 'name', 'pin', 'slot', 'token_label', 'type'],
]

/** Of a read the fields that its row states, without the `UUID`, which no two keys share; times, for example, may stand beside them. */
export const rowOf = (fields: JsonObject): JsonObject => Object.fromEntries(Object.entries(fields).filter(([name]) => ROW.includes(name)))

/** A flag as text or boolean. */
export const isTrue = (value: Json | undefined): boolean => String(value) === 'true'

/** A read in which flags are texts, whichever form the target gives them. */
export const comparableKey = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, typeof value === 'boolean' ? String(value) : value]))

/**
 * Asserts that a body is refused for a new name, that nothing is stored, and that another body is accepted instead; then that it is refused for
 * the key that is there now, which stays as it is. Quick effort tries one of the two.
 *
 * @param options.update false where an update may leave out what a new key needs.
 * @param options.where the namespace, where it is not the root.
 */
export const refusesBody = async (
  bench: Bench,
  kind: Kind,
  bad: JsonObject,
  good: JsonObject,
  label: string,
  { update = true, where = {} }: { update?: boolean; where?: { namespace?: string } } = {},
): Promise<void> => {
  const name = bench.fresh('key')
  removeLater(bench, kind, name, where)
  const at = { ...where, path: { name } }
  const isSeen = kind !== 'cloudckms'
  const ways = bench.few(update ? [label, `${label}, of a key that is there`] : [label], 1)
  if (ways[0] !== label) await bench.given(writeOf(kind), { ...at, body: good })
  for (const what of ways)
    await bench.refuses(writeOf(kind), {
      bad: { ...at, body: bad, invalid: true },
      control: { ...at, body: good },
      label: where.namespace === undefined ? what : `${what}, in the administrative namespace`,
      ...(isSeen
        ? { unchanged: () => stateOf(bench, kind, name, where) }
        : { unchanged: null, because: 'reading keys of this kind is not described' }),
    })
}
