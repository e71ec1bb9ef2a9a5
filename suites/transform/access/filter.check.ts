/** The filter of the listing of roles. */
import { type Bench, check, type Expect, textsIn } from '../../../harness/checks/index.ts'
import { newScheme } from '../fixtures.ts'

const SUFFIXES = ['red', 'red-2', 'blue', 'a-red', 'blue-red-blue', 'r-e-d', 'rred', 'r_d']

interface Roles {
  prefix: string
  names: string[]
}

const roles = async (bench: Bench): Promise<Roles> => {
  const prefix = bench.fresh('filter')
  const names = SUFFIXES.map((suffix) => `${prefix}-${suffix}`)
  for (const name of bench.random.shuffle(names)) await bench.given('transform.writeRole', { path: { name }, body: {} })
  return { prefix, names }
}

/** Names that the filter shows of this check's own, by the verb and by the query. */
const shows = async (
  bench: Bench,
  expect: Expect,
  { prefix, names }: Roles,
  filter: string | undefined,
  wanted: (suffix: string) => boolean,
) => {
  for (const method of ['LIST', 'GET']) {
    const answer = await bench.call('transform.listRoles', { method, ...(filter === undefined ? {} : { query: { filter } }) })
    const keys = textsIn(answer.data.keys)
    const expected = names.filter((name) => wanted(name.slice(prefix.length + 1)))
    if (expected.length > 0) expect(answer, `${filter} by ${method}`).toHaveStatus(200)
    expect(keys.filter((key) => key.startsWith(prefix)).sort(), `roles that ${filter} shows by ${method}`).toEqual(expected.sort())
    if (filter !== undefined && !filter.startsWith('*'))
      expect(
        keys.filter((key) => !key.startsWith(prefix)),
        'roles of others',
      ).toEqual([])
  }
}

check('transform/filter-all', 'TRANSFORM-FILTER-01', 'without a filter all roles are listed', async ({ bench, expect }) => {
  const made = await roles(bench)
  for (const filter of [undefined, '*']) await shows(bench, expect, made, filter, () => true)
})

check('transform/filter-beginning', 'TRANSFORM-FILTER-02', 'a star at the end stands for any end', async ({ bench, expect }) => {
  const made = await roles(bench)
  const at = `${made.prefix}-`
  await shows(bench, expect, made, `${at}*`, () => true)
  await shows(bench, expect, made, `${at}red*`, (suffix) => suffix.startsWith('red'))
  await shows(bench, expect, made, `${at}r*`, (suffix) => suffix.startsWith('r'))
  await shows(bench, expect, made, `${at}blue-*`, (suffix) => suffix.startsWith('blue-'))
})

check('transform/filter-end', 'TRANSFORM-FILTER-03', 'a star at the beginning stands for any beginning', async ({ bench, expect }) => {
  const made = await roles(bench)
  await shows(bench, expect, made, '*-red', (suffix) => suffix === 'red' || suffix.endsWith('-red'))
  await shows(bench, expect, made, '*blue', (suffix) => suffix.endsWith('blue'))
  await shows(bench, expect, made, `*${made.prefix.slice(2)}-rred`, (suffix) => suffix === 'rred')
})

check('transform/filter-middle', 'TRANSFORM-FILTER-04', 'a star within stands for any characters', async ({ bench, expect }) => {
  const made = await roles(bench)
  const at = `${made.prefix}-`
  await shows(bench, expect, made, `${at}*red`, (suffix) => suffix.endsWith('red'))
  await shows(bench, expect, made, `${at}r*d`, (suffix) => /^r.*d$/.test(suffix))
  await shows(bench, expect, made, `${at}blue*blue`, (suffix) => suffix === 'blue-red-blue')
  await shows(bench, expect, made, `${at}r*e*d`, (suffix) => /^r.*e.*d$/.test(suffix))
  await shows(bench, expect, made, `${at}*-red-*`, (suffix) => suffix.includes('-red-'))
  // What one star stands for is not looked at again by the next.
  await shows(bench, expect, made, `${at}red*red`, () => false)
  await shows(bench, expect, made, `${at}*red*blue*red`, () => false)
  await shows(bench, expect, made, `${at}*d*r*`, () => false)
  await shows(bench, expect, made, `*${made.prefix}-*d`, (suffix) => suffix.endsWith('d'))
})

check('transform/filter-exact', 'TRANSFORM-FILTER-05', 'a filter without a star is a whole name', async ({ bench, expect }) => {
  const made = await roles(bench)
  for (const one of bench.few(SUFFIXES)) await shows(bench, expect, made, `${made.prefix}-${one}`, (suffix) => suffix === one)
  // What was listed before is not what is there now.
  await bench.given('transform.deleteRole', { path: { name: `${made.prefix}-red` } })
  await shows(bench, expect, made, `${made.prefix}-red`, () => false)
  await shows(bench, expect, made, `${made.prefix}-r*`, (suffix) => suffix.startsWith('r') && suffix !== 'red')
  await bench.given('transform.writeRole', { path: { name: `${made.prefix}-red` }, body: {} })
  await shows(bench, expect, made, `${made.prefix}-red`, (suffix) => suffix === 'red')
})

check(
  'transform/filter-literal',
  'TRANSFORM-FILTER-06',
  'what means something in regular expressions is meant literally',
  async ({ bench, expect }) => {
    const made = await roles(bench)
    const at = `${made.prefix}-`
    for (const filter of bench.few([
      `${at}r.d*`,
      `${at}red.*`,
      `${at}(red)*`,
      `${at}red|blue`,
      `^${at}red*`,
      `${at}red$`,
      `${at}r+ed`,
      `${at}\\w+`,
      `${at}.*`,
      `${at}re{1}d`,
      `${at}re%`,
      `%${at}red`,
      `${at}re_`,
    ]))
      await shows(bench, expect, made, filter, () => false)
    // Not every server takes a dot in a name.
    const dotted = `${at}r.d-x`
    if (!(await bench.call('transform.writeRole', { path: { name: dotted }, body: {} })).ok) return
    const both = { prefix: made.prefix, names: [...made.names, dotted] }
    await shows(bench, expect, both, `${at}r.d*`, (suffix) => suffix === 'r.d-x')
  },
)

check('transform/filter-none', 'TRANSFORM-FILTER-07', 'a filter that no name fits lists none', async ({ bench, expect }) => {
  const made = await roles(bench)
  for (const filter of [`${made.prefix}-green*`, `${made.prefix}`, `${made.prefix}-red-`]) {
    for (const method of ['LIST', 'GET']) {
      const answer = await bench.call('transform.listRoles', { method, query: { filter } })
      expect(answer, `a filter that fits nothing: ${filter}, by ${method}`).toHaveStatus(404)
    }
  }
  expect(await bench.call('transform.listRoles', { query: { filter: `${made.prefix}-red` } })).toHaveStatus(200)
})

check('transform/filter-elsewhere', 'TRANSFORM-FILTER-08', 'other characters of globs, and other listings', async ({ bench }) => {
  const made = await roles(bench)
  const scheme = await newScheme(bench)
  const count = async (operation: string, filter: string) => {
    const { data, status } = await bench.call(operation, { query: { filter }, observing: true })
    return {
      status,
      names: Array.isArray(data.keys) ? data.keys.filter((key) => [scheme.name, ...made.names].includes(String(key))).length : 0,
    }
  }
  bench.observe('TRANSFORM-FILTER-08', {
    '?': await count('transform.listRoles', `${made.prefix}-re?`),
    '[de]': await count('transform.listRoles', `${made.prefix}-re[de]`),
    transformations: await count('transform.listTransformations', 'no-such-name'),
  })
})
