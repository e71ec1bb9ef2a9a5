/** Faults of neighbours: other keys, kinds, namespaces, mounts, tokens of a module, versions, similar names. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { managedKeysEngine } from './engine.ts'
import { deciding, keyIn, keysIn, nameOf } from './north-help.ts'
import type { SignRequest } from './sign-request.ts'

const { rule, route } = faultsOf(managedKeysEngine)

rule(
  'north-clouds-take-names-of-each-other',
  'MANAGED-KEYS-RACE-01',
  'a cloud key replaces one of another cloud that has its name (000 2.6: unique across all backend types within a namespace)',
  {
    isTaken: (original) => (existing, kind) => original(existing, kind) && (existing?.kind === 'pkcs11' || kind === 'pkcs11'),
  },
)

rule(
  'north-deletion-hindered-by-longer-name',
  'MANAGED-KEYS-DELETE-06',
  'a mount that lists a longer name with the same beginning hinders the deletion (000 4.2: deletes provided no mount lists it)',
  {
    hinders: (original) => (key, names) => original(key, names) || names.some((name) => name.startsWith(key.name)),
  },
)

rule(
  'north-free-for-any-mount-not-protected',
  'MANAGED-KEYS-DELETE-05',
  'a key with any_mount is deleted though a mount lists it (000 4.2: deletes the key provided no mount lists it)',
  {
    hinders: (original) => (key, names) => key.parameters.any_mount !== true && original(key, names),
  },
)

route(
  'north-deletion-asks-mounts-of-root',
  'MANAGED-KEYS-DELETE-05',
  'before a deletion the mounts of the root namespace are asked, whichever is meant (000 4.2: provided no mount lists it; 2.6: within a namespace)',
  'managedKeys.delete',
  (original) => (call) =>
    original({ ...call, services: { ...call.services, allowedManagedKeys: () => call.services.allowedManagedKeys('') } }),
)

rule(
  'north-administrative-keys-are-those-of-root',
  'MANAGED-KEYS-LIST-03',
  'root and administrative namespace have the same keys (000 2.6: name, unique within a namespace)',
  {
    keysIn: (original) => (namespaces) => original(namespaces, ''),
  },
)

route(
  'north-deletion-in-every-namespace',
  'MANAGED-KEYS-DELETE-08',
  'a deletion takes the key of that name in other namespaces with it (000 4.2: deletes the key; 2.6: unique within a namespace)',
  'managedKeys.delete',
  (original) => async (call) => {
    const kind = keyIn(call)?.kind
    const reply = await original(call)
    if (kind !== undefined && kind === call.params.type) for (const keys of call.state.namespaces.values()) keys.delete(nameOf(call))
    return reply
  },
)

rule(
  'north-cloud-kinds-listed-together',
  'MANAGED-KEYS-LIST-02',
  'the listing of one cloud kind has the keys of the others (000 4.2: LIST :type, names)',
  {
    listed: (original) => (key, kind) => original(key, kind) || (key.kind !== 'pkcs11' && kind !== 'pkcs11'),
  },
)

route(
  'north-tested-under-another-kind',
  'MANAGED-KEYS-SIGN-07',
  "test/sign tests a key under another kind's path, too (000 4.2: :type/:name/test/sign; 7: 404 invalid path)",
  'managedKeys.testSign',
  (original) => (call) => original(deciding(call, { fits: () => true })),
)

route(
  'north-deletion-takes-derived-names',
  'MANAGED-KEYS-LIST-07',
  'the deletion of a key takes those called after it with a hyphen along (000 4.2: deletes the key)',
  'managedKeys.delete',
  (original) => async (call) => {
    const existing = keyIn(call)
    const reply = await original(call)
    if (existing === undefined || existing.kind !== call.params.type) return reply
    for (const key of keysIn(call).values())
      if (key.kind === existing.kind && key.name.startsWith(`${existing.name}-`)) keysIn(call).delete(key.name)
    return reply
  },
)

const alike = (name: string): string => name.replaceAll('_', '-')

rule(
  'north-underscore-finds-hyphen',
  'MANAGED-KEYS-NAME-06',
  'where no key has a name, one with a hyphen for its underscore answers (000 2.6: identified by a unique name; 7: 404)',
  {
    named: (original) => (keys, name) => original(keys, name) ?? [...keys.values()].find((key) => alike(key.name) === alike(name)),
  },
)

const tokens = remembered(() => new Map<string, Pick<SignRequest, 'slot' | 'tokenLabel'>>())
route(
  'north-one-token-for-each-library',
  'MANAGED-KEYS-SIGN-16',
  "all keys of a library are looked for in the token that was first logged in to (000 4.2: each key's slot or token_label)",
  'managedKeys.testSign',
  (original) => async (call) => {
    const library = String(keyIn(call)?.parameters.library)
    const known = tokens(call.state)
    let used: Pick<SignRequest, 'slot' | 'tokenLabel'> | undefined
    const request = (asked: SignRequest): SignRequest => {
      const { slot, tokenLabel } = known.get(library) ?? asked
      used = { slot, tokenLabel }
      return call.rules.request({ ...asked, slot, tokenLabel })
    }
    const reply = await original(deciding(call, { request }))
    if (used !== undefined) known.set(library, used)
    return reply
  },
)

rule(
  'north-first-version-for-every-other',
  'MANAGED-KEYS-WRITE-05',
  'whatever crypto_key_version says, version 1 is asked to sign (000 4.2: crypto_key_version, default "1")',
  {
    versionOf: () => () => '1',
  },
)
