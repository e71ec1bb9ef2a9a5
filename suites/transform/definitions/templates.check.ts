/** What a template's pattern and alphabet mean, and what becomes of those that mean nothing. */
import { type Bench, check, type JsonObject } from '../../../harness/checks/index.ts'
import { DIGITS, type How, newAlphabet, newRole, newScheme, newTweak, newValue, OBSERVING, using } from '../fixtures.ts'

interface Tried {
  template: number
  transformation: number
  encode: number
}

/** Writes a template with these fields, a transformation with it, and encodes; the statuses. */
const tried = async (bench: Bench, fields: JsonObject, value: string, how?: How): Promise<Tried> => {
  const [name, role] = [bench.mixedName('odd'), bench.mixedName('role')]
  const body = { type: 'regex', alphabet: await newAlphabet(bench, DIGITS), ...fields }
  const template = await bench.call('transform.writeTemplate', { path: { name }, body, ...how })
  const transformation = await bench.call('transform.writeFpe', { path: { name }, body: { template: name, allowed_roles: [role] }, ...how })
  // Without the transformation the role may be refused, too.
  await bench.call('transform.writeRole', { path: { name: role }, body: { transformations: [name] }, ...how })
  const encode = await using(bench, role, name, newTweak(bench)).encode(value, {}, how)
  return { template: template.status, transformation: transformation.status, encode: encode.status }
}

check(
  'transform/broken-patterns',
  'TRANSFORM-TEMPLATE-14',
  'a pattern that is not a regular expression encodes nothing',
  async ({ bench, expect }) => {
    for (const pattern of ['([0-9]+', '[0-9', '([0-9]+)(?P<', '*([0-9]+)', '([0-9]{4,2})', '\\']) {
      const seen = await tried(bench, { pattern }, newValue(bench, DIGITS, 16))
      expect(Math.min(...Object.values(seen).map((status) => (status < 400 ? 600 : status))), `refusals of ${pattern}`).toBeLessThan(500)
      expect(seen.encode, `encoding by ${pattern}`).toBeGreaterThanOrEqual(400)
      for (const status of Object.values(seen)) expect(status, `each answer about ${pattern}`).toBeLessThan(500)
    }
  },
)

const WAITING_MS = 5_000

check(
  'transform/endless-patterns',
  'TRANSFORM-TEMPLATE-15',
  'a pattern that backtracks keeps nobody else waiting',
  async ({ bench, expect }) => {
    const steady = await newScheme(bench)
    for (const pattern of ['(([0-9]+)+)x', '(([0-9]|[0-9][0-9])+)x', '([0-9]*)*x']) {
      const evil = tried(bench, { pattern }, `${newValue(bench, DIGITS, 20_000)}y`).catch(() => undefined)
      const before = performance.now()
      expect(await steady.encode(newValue(bench, DIGITS, 16)), 'another client').toSucceed()
      expect(performance.now() - before, 'milliseconds that another client waits').toBeLessThan(WAITING_MS)
      await evil
    }
  },
)

check('transform/odd-templates', ['TRANSFORM-TEMPLATE-16', 'TRANSFORM-TEMPLATE-17'], 'templates at the edge', async ({ bench }) => {
  const value = newValue(bench, DIGITS, 16)
  const patterns: JsonObject = {}
  for (const pattern of [
    '[0-9]{16}',
    '([0-9]{8})([0-9]{8})',
    '([0-9]{16})|([a-z]{16})',
    '(([0-9]{8})[0-9]{8})',
    '^([0-9]{16})$',
    '([0-9]{8})',
  ])
    patterns[pattern] = (await tried(bench, { pattern }, value, OBSERVING)).encode
  bench.observe('TRANSFORM-TEMPLATE-16', patterns)
  const unknown = await tried(bench, { pattern: '([0-9]{16})', alphabet: bench.fresh('none') }, value, OBSERVING)
  bench.observe('TRANSFORM-TEMPLATE-17', {
    unknown: { ...unknown },
    none: { ...(await tried(bench, { pattern: '([0-9]{16})', alphabet: '' }, value, OBSERVING)) },
  })
})

check(
  'transform/odd-alphabets',
  ['TRANSFORM-ALPHABET-10', 'TRANSFORM-ALPHABET-11'],
  'alphabets at the edge, and one that is deleted while it is used',
  async ({ bench }) => {
    const value = newValue(bench, DIGITS, 16)
    const alphabets: JsonObject = {}
    for (const alphabet of ['', 'a', '00123456789']) {
      const name = bench.mixedName('odd')
      const written = await bench.call('transform.writeAlphabet', { path: { name }, body: { alphabet }, observing: true })
      alphabets[alphabet] = {
        write: written.status,
        encode: (await tried(bench, { pattern: '([0-9]{16})', alphabet: name }, value, OBSERVING)).encode,
      }
    }
    bench.observe('TRANSFORM-ALPHABET-10', alphabets)
    const scheme = await newScheme(bench)
    const read = await bench.given('transform.readTemplate', { path: { name: scheme.template } })
    await bench.given('transform.deleteAlphabet', { path: { name: String(read.data.alphabet) } }).catch(() => undefined)
    bench.observe('TRANSFORM-ALPHABET-11', (await scheme.encode(value, {}, OBSERVING)).status)
  },
)

check(
  'transform/role-of-unknown',
  ['TRANSFORM-ROLE-11', 'TRANSFORM-ACCESS-11'],
  'roles of transformations that are not there, and stars',
  async ({ bench }) => {
    const name = bench.mixedName('role')
    bench.observe(
      'TRANSFORM-ROLE-11',
      (await bench.call('transform.writeRole', { path: { name }, body: { transformations: [bench.fresh('none')] }, observing: true }))
        .status,
    )
    const open = await newScheme(bench, 'fpe', { fields: { allowed_roles: ['*'] } })
    const all = await newRole(bench, ['*'])
    const value = newValue(bench, DIGITS, 16)
    const second = await newScheme(bench, 'fpe', { alsoAllowed: [all] })
    bench.observe('TRANSFORM-ACCESS-11', {
      'allowed_roles *': (await open.encode(value, {}, OBSERVING)).status,
      'transformations *': (await using(bench, all, second.name, second.tweak).encode(value, {}, OBSERVING)).status,
    })
  },
)
