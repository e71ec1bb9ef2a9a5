/** Faults of version 2 that somebody guessed from the documents: which versions a request changes, and what they hold. */
import type { Json } from '../../core/json.ts'
import { mapNumbers, stringify } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { kv2Engine } from './kv2.ts'
import { recordOf } from './kv2-data.ts'

const { rule, route } = faultsOf(kv2Engine, 'kv')
/** What only checks of the core decide is tried with them. */
const core = faultsOf(kv2Engine, 'core')

/** The numbers in a list of versions; none for other forms of it. */
const numbersIn = (versions: Json | undefined): number[] => (Array.isArray(versions) ? versions.map(Number) : [])

route(
  'guess-destroys-equal-contents',
  ['KV-V2-13'],
  'destroying a version destroys the other versions of the key that have the same content',
  'kv2.destroyVersions',
  (original) => async (call) => {
    const before = new Map(recordOf(call)?.versions)
    const reply = await original(call)
    const record = recordOf(call)
    if (!record) return reply
    const lost = [...before].filter(([number, { destroyed }]) => !destroyed && record.versions.get(number)?.destroyed)
    const contents = new Set(lost.map(([, { data }]) => stringify(data ?? null)))
    for (const [number, version] of [...record.versions])
      if (!version.destroyed && contents.has(stringify(version.data ?? null))) record.versions.set(number, call.rules.destroyed(version))
    return reply
  },
)

rule(
  'guess-version-looked-up-in-text',
  ['KV-V2-12', 'KV-V2-13'],
  'a request that names a version of two digits also changes the versions of these digits',
  {
    chosen: () => (named, present) => present.filter((number) => named.join(',').includes(String(number))),
  },
)

route(
  'guess-undelete-stops-at-living',
  ['KV-V2-09'],
  'restoring several versions ends at the first that is not deleted',
  'kv2.undeleteVersions',
  (original) => (call) => {
    const versions = recordOf(call)?.versions
    const named = numbersIn(call.body.versions)
    const living = named.findIndex((number) => {
      const version = versions?.get(number)
      return version !== undefined && call.rules.visible(version, call.now())
    })
    if (living < 0) return original(call)
    if (living === 0) return call.rules.done()
    return original({ ...call, body: { ...call.body, versions: named.slice(0, living) } })
  },
)

route(
  'guess-last-of-several-not-destroyed',
  ['KV-V2-11'],
  'of several versions to destroy the last one named is only deleted',
  'kv2.destroyVersions',
  (original) => async (call) => {
    const named = numbersIn(call.body.versions)
    const last = named.at(-1)
    const spared = named.length > 1 && last !== undefined ? recordOf(call)?.versions.get(last) : undefined
    const reply = await original(call)
    if (spared && last !== undefined) recordOf(call)?.versions.set(last, call.rules.deleted(spared, call.now()))
    return reply
  },
)

rule('guess-destroyed-after-deletion-restorable', ['KV-V2-11'], 'a version that was deleted before it was destroyed can be restored', {
  destroyed: (original) => (version) => (version.deletedAt === undefined ? original(version) : { ...version, destroyed: true }),
  undeleted: (original) => (version) =>
    version.destroyed && version.data !== undefined ? { ...version, deletedAt: undefined, destroyed: false } : original(version),
})

route(
  'guess-older-version-kept-as-read',
  ['KV-V2-08', 'KV-V2-10'],
  'an older version that was read once is shown for ever, deleted or destroyed',
  'kv2.read',
  (original) => {
    const answers = remembered(() => new Map<number, Awaited<ReturnType<typeof original>>>())
    return async (call) => {
      const record = recordOf(call)
      const asked = Number(call.query.get('version') ?? 0)
      if (!record || !(asked > 0 && asked < record.current)) return original(call)
      const kept = answers(record).get(asked)
      if (kept) return kept
      const reply = await original(call)
      answers(record).set(asked, reply)
      return reply
    }
  },
)

const LARGEST = 2n ** 63n - 1n

/** A whole number brought into the range of 64 bits; other numbers stay. */
const within64Bits = (text: string): string => {
  if (!/^-?\d+$/.test(text)) return text
  const number = BigInt(text)
  if (number > LARGEST) return String(LARGEST)
  return number < -LARGEST - 1n ? String(-LARGEST - 1n) : text
}

rule('guess-whole-numbers-clamped', ['KV-V2-29'], 'whole numbers beyond 64 bits become the largest or smallest of 64 bits', {
  replaced: (original) => (previous, written) => mapNumbers(original(previous, written), within64Bits),
})

core.route(
  'guess-names-of-digits-as-numbers',
  ['CORE-LIST-03'],
  'a listing shows names that consist of digits as numbers',
  'kv2.list',
  replyData((data) => ({
    ...data,
    keys: (data.keys as string[]).map((name) => (/^(0|[1-9]\d{0,14})$/.test(name) ? Number(name) : name)),
  })),
)

rule(
  'guess-data-within-data-unwrapped',
  ['KV-V2-03'],
  'an object whose only member is an object called data is stored without that member',
  {
    replaced: (original) => (previous, written) => {
      const stored = original(previous, written)
      const [member, ...others] = Object.entries(stored ?? {})
      if (member === undefined || others.length > 0) return stored
      const [name, inner] = member
      return name === 'data' && stringify(inner).startsWith('{') ? inner : stored
    },
  },
)
