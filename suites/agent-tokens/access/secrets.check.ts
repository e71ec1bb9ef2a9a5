import { type Bench, check, type Json, neverShown } from '../../../harness/checks/index.ts'
import { attributesOf, type Created, createToken, creation, inPool, itemsOf, pagesOf, showToken } from '../fixtures.ts'
import { aPool, settled } from '../pool.ts'

const PIECE = 10

/** Pieces of a secret that say something about it: neither part of the answer around it nor common to all secrets. */
const pieces = ({ secret, answer }: Created, other: Created): string[] => {
  const around = answer.text.replaceAll(secret, '')
  const all = Array.from({ length: Math.max(0, secret.length - PIECE + 1) }, (_, at) => secret.slice(at, at + PIECE))
  return all.filter((piece) => !around.includes(piece) && !other.secret.includes(piece))
}

/** A token with a secret, another one beside it, and all that later answers say of them. */
const readLater = async (bench: Bench) => {
  const pool = await aPool(bench)
  const created = await createToken(bench, pool)
  const other = await createToken(bench, pool)
  if (created.secret === '') bench.blocked('the create answer has no secret', 'see agent-tokens/create')
  const shown = await showToken(bench, created.id)
  await settled(bench, pool)
  const pages = await pagesOf(bench, pool, 20)
  const listed = pages.flatMap(itemsOf).find(({ id }) => id === created.id) ?? {}
  return { pool, created, other, shown, pages, listed }
}

check(
  'agent-tokens/secret-once',
  ['AGENT-TOKENS-SECRET-02', 'AGENT-TOKENS-SECRET-03'],
  'the secret is in no later answer',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const { created, other, shown, pages, listed } = await readLater(bench)
    const text = (token: Record<string, Json>) => attributesOf(token).token ?? null
    await bench.decide('AGENT-TOKENS-SECRET-02', () => {
      expect(text(shown.data)).toBeNull()
      neverShown({ expect }, [shown], [created.secret])
    })
    await bench.decide('AGENT-TOKENS-SECRET-03', () => {
      expect(text(listed)).toBeNull()
      neverShown({ expect }, pages, [created.secret, other.secret])
    })
  },
)

/** Ways to ask for more or for less of a resource than is shown, which a server may know, ignore or refuse. */
const ASKING: Record<string, string>[] = [
  { 'fields[authentication-tokens]': 'token' },
  { 'fields[authentication-tokens]': 'token,description' },
  { fields: 'token' },
  { include: 'created-by,token' },
  { include: 'token' },
  { show: 'token', secret: 'true', 'include[]': 'token' },
]

check(
  'agent-tokens/secret-asked-for',
  ['AGENT-TOKENS-SECRET-02', 'AGENT-TOKENS-SECRET-03'],
  'the secret is in no later answer, whatever the query asks for',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const { pool, created, other } = await readLater(bench)
    const secrets = [created.secret, other.secret]
    for (const query of ASKING) {
      const shown = await bench.call('agentTokens.show', { path: { id: created.id }, query, invalid: true, observing: true })
      await bench.decide('AGENT-TOKENS-SECRET-02', () => neverShown({ expect }, [shown], secrets))
      const listed = await bench.call('agentTokens.list', { path: { agent_pool_id: pool }, query, invalid: true, observing: true })
      await bench.decide('AGENT-TOKENS-SECRET-03', () => neverShown({ expect }, [listed], secrets))
    }
  },
)

check('agent-tokens/secret-member', 'AGENT-TOKENS-SECRET-04', 'later answers have the member of the secret', async ({ bench, expect }) => {
  const { shown, listed } = await readLater(bench)
  for (const token of [shown.data, listed]) expect('token' in attributesOf(token), 'attributes.token is present').toBe(true)
})

check(
  'agent-tokens/secret-pieces',
  'AGENT-TOKENS-SECRET-05',
  'no piece of the secret is in a later answer',
  { kind: 'security' },
  async (context) => {
    const { created, other, shown, pages } = await readLater(context.bench)
    const seen = [shown, ...pages].map((answer) => answer.text).join('\n')
    const found = pieces(created, other).filter((piece) => seen.includes(piece))
    context.expect(found.length, 'pieces of the secret in later answers').toBe(0)
  },
)

check(
  'agent-tokens/secret-not-in-refusals',
  'AGENT-TOKENS-SECRET-06',
  'no refusal repeats a secret',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const pool = await aPool(bench)
    const { id, secret, description } = await createToken(bench, pool)
    const stranger = bench.named('stranger')
    const bad = { data: { type: 'authentication-tokens', id, attributes: { description: [description] } } }
    const refusals = [
      await showToken(bench, id, stranger),
      await bench.call('agentTokens.destroy', { path: { id }, as: stranger }),
      await bench.call('agentTokens.create', { ...inPool(pool, bad), invalid: true }),
      await bench.call('agentTokens.list', { path: { agent_pool_id: pool }, as: stranger }),
    ]
    await bench.given('agentTokens.destroy', { path: { id } })
    refusals.push(await showToken(bench, id), await bench.call('agentTokens.destroy', { path: { id } }))
    expect(refusals.filter(({ status }) => status >= 400).length, 'refusals looked at').toBeGreaterThan(0)
    neverShown({ expect }, refusals, [secret])
  },
)

check(
  'agent-tokens/secrets-differ',
  ['AGENT-TOKENS-SECRET-07', 'AGENT-TOKENS-SECRET-08'],
  'each token has a secret of its own that others do not give away',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const pool = await aPool(bench)
    const created = await Promise.all(Array.from({ length: 6 }, () => createToken(bench, pool)))
    const secrets = created.map(({ secret }) => secret)
    await bench.decide('AGENT-TOKENS-SECRET-07', () => expect(new Set(secrets).size, 'different secrets of six').toBe(6))
    await bench.decide('AGENT-TOKENS-SECRET-08', () => {
      for (const secret of secrets) expect(secret.length, 'length of the secret').toBeGreaterThanOrEqual(16)
      const [first = '', second = ''] = secrets
      const same = [...first].filter((letter, at) => second[at] === letter).length
      expect(first.length - same, 'places in which two secrets differ').toBeGreaterThanOrEqual(10)
    })
  },
)

check(
  'agent-tokens/secret-not-chosen',
  'AGENT-TOKENS-SECRET-09',
  'a secret that the caller sends is not used',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const wanted = bench.canary('wanted')
    const { data } = creation(bench.fresh('token'))
    const body = { data: { ...(data as object), attributes: { ...attributesOf(data as Record<string, Json>), token: wanted } } } as Json
    const answer = await bench.call('agentTokens.create', inPool(await aPool(bench), body))
    expect(attributesOf(answer.data).token === wanted, 'the secret is the one that was sent').toBe(false)
  },
)
