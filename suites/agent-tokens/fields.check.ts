import { type Answer, type Bench, type CheckContext, check, type JsonObject, property, targetNow } from '../../harness/checks/index.ts'
import {
  attributesOf,
  createToken,
  creation,
  creatorOf,
  documented,
  idsOf,
  inPool,
  itemsOf,
  pagesOf,
  placesOf,
  showToken,
} from './fixtures.ts'
import { aPool, settled } from './pool.ts'

/** Seconds that clocks and transport may add to the grace period. */
const TOLERANCE = 45

/** A new token as create, show and list have it, in this order. */
const everywhere = async (bench: Bench): Promise<[created: JsonObject, shown: JsonObject, listed: JsonObject]> => {
  const pool = await aPool(bench)
  const { id, answer } = await createToken(bench, pool)
  const shown = (await showToken(bench, id)).data
  await settled(bench, pool)
  const listed = (await pagesOf(bench, pool, 20)).flatMap(itemsOf).find((token) => token.id === id)
  if (listed === undefined) return bench.blocked('the pool does not list a token created in it', 'see agent-tokens/created-appears')
  return [answer.data, shown, listed]
}

check(
  'agent-tokens/same-everywhere',
  ['AGENT-TOKENS-FIELD-09', 'AGENT-TOKENS-FIELD-12', 'AGENT-TOKENS-FIELD-14'],
  'create, show and list agree on creator and times',
  async ({ bench, expect }) => {
    const all = await everywhere(bench)
    const [created] = all
    const createdAt = attributesOf(created)['created-at']
    await bench.decide('AGENT-TOKENS-FIELD-14', () => {
      expect(createdAt).toEqual(expect.any(String))
      expect(all.map((token) => attributesOf(token)['created-at'])).toEqual([createdAt, createdAt, createdAt])
    })
    await bench.decide('AGENT-TOKENS-FIELD-09', () =>
      expect(all.map((token) => attributesOf(token)['last-used-at'])).toEqual([null, null, null]),
    )
    const creator = creatorOf(created)
    await bench.decide('AGENT-TOKENS-FIELD-12', () => {
      expect(creator).toEqual(expect.any(String))
      expect(all.map(creatorOf)).toEqual([creator, creator, creator])
    })
  },
)

check('agent-tokens/list-items', 'AGENT-TOKENS-LIST-05', 'a list shows a token as its own route does', async ({ bench, expect }) => {
  const first = await everywhere(bench)
  const second = await everywhere(bench)
  for (const [, shown, listed] of [first, second]) {
    expect(documented(listed)).toEqual(documented(shown))
    // By turns: neither is shown with what the one before it had.
    expect(documented((await showToken(bench, String(listed.id))).data), 'shown after another').toEqual(documented(listed))
  }
})

check('agent-tokens/created-at', 'AGENT-TOKENS-FIELD-08', 'a token says when it was created', async ({ bench, expect }) => {
  const pool = await aPool(bench)
  const begun = targetNow(bench)
  const { answer } = await createToken(bench, pool)
  const ended = targetNow(bench)
  const createdAt = attributesOf(answer.data)['created-at']
  const seconds = Date.parse(String(createdAt)) / 1000
  const away = Math.max(begun - seconds, seconds - ended)
  expect(away, `seconds between ${String(createdAt)} and the creation`).toBeLessThan(bench.grace / 1000 + TOLERANCE)
})

check(
  'agent-tokens/creators-differ',
  'AGENT-TOKENS-FIELD-13',
  'tokens of different users name different users',
  async ({ bench, expect }) => {
    const pool = await aPool(bench)
    const own = await createToken(bench, pool)
    const other = await createToken(bench, pool, { as: bench.named('colleague') })
    expect(creatorOf(other.answer.data)).not.toBe(creatorOf(own.answer.data))
    await settled(bench, pool)
    for (const { id, answer } of [own, other]) {
      for (const [place, token] of Object.entries(await placesOf(bench, pool, id, answer.data))) {
        expect(creatorOf(token), `the creator ${place}`).toBe(creatorOf(answer.data))
      }
    }
  },
)

/** Letters of a description that no server has a reason to call too long. */
const SHORT = 255

property(
  'agent-tokens/description',
  ['AGENT-TOKENS-FIELD-11', 'AGENT-TOKENS-CREATE-01'],
  'every description comes back as it was given',
  {
    runs: [9, 20],
    first: [
      '.',
      '"quoted" \\ and <tags> & more',
      "'&amp;' %20 +",
      '\nline one\nline two\n',
      'Ünïcödé 🦊 漢字',
      'e\u0301',
      '  ',
      '\tblanks ',
    ],
  },
  ({ fc }) => fc.string({ unit: 'grapheme', maxLength: 40 }),
  async ({ bench, expect }, text) => {
    const pool = await aPool(bench)
    const description = `${text}${bench.fresh('token')}${text}`
    const request = inPool(pool, creation(description))
    // Nothing but the wrong type of a description is a reason to refuse one; control characters and great length are left to the server.
    const answer = await (/\p{Cc}/u.test(description) || description.length > SHORT ? bench.given : bench.call)(
      'agentTokens.create',
      request,
    )
    await bench.decide('AGENT-TOKENS-CREATE-01', () => expect(answer, 'creation with an ordinary description').toHaveStatus(201))
    if (!answer.ok) return
    await settled(bench, pool)
    const places = Object.entries(await placesOf(bench, pool, String(answer.data.id), answer.data))
    await bench.decide('AGENT-TOKENS-FIELD-11', () => {
      for (const [place, token] of places) expect(attributesOf(token).description, `the description ${place}`).toBe(description)
    })
  },
)

/** Descriptions that are short, or look like something else than text. */
const PLAIN = [
  'a',
  'Z',
  '7',
  '0',
  '-',
  '_',
  'ab',
  '漢',
  '🦊',
  '00',
  '1.0',
  '-1',
  'null',
  'true',
  'false',
  'undefined',
  '[]',
  '{}',
  'a/b',
  'x'.repeat(64),
]

/** A description as a comparison sees it that knows neither letter case, accents nor blanks at the ends. */
const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase()

/** Creates tokens, one with each description, and decides that each comes back to the letter, once all of them are there. Returns the answers. */
const decideKept = async ({ bench, expect }: CheckContext, pool: string, descriptions: readonly string[]): Promise<Answer[]> => {
  const created: [description: string, answer: Answer][] = []
  for (const description of descriptions) {
    const answer = await bench.call('agentTokens.create', inPool(pool, creation(description)))
    // That two tokens may have one description is advised (AGENT-TOKENS-CREATE-20), and what counts as one is not said.
    if (!answer.ok && created.some(([other]) => other !== description && folded(other) === folded(description))) {
      bench.observe('AGENT-TOKENS-CREATE-01', 'a description like another one was refused')
      continue
    }
    await bench.decide('AGENT-TOKENS-CREATE-01', () => expect(answer, `creation with the description ${description}`).toHaveStatus(201))
    if (answer.ok) created.push([description, answer])
  }
  await settled(bench, pool)
  const listed = new Map((await pagesOf(bench, pool, 20)).flatMap(itemsOf).map((token) => [token.id, token]))
  for (const [description, { data }] of created) {
    const seen = [data, (await showToken(bench, String(data.id))).data, listed.get(data.id!) ?? {}]
    await bench.decide('AGENT-TOKENS-FIELD-11', () =>
      expect(
        seen.map((token) => attributesOf(token).description),
        'the description when created, shown and listed',
      ).toEqual([description, description, description]),
    )
  }
  return created.map(([, answer]) => answer)
}

check(
  'agent-tokens/plain-descriptions',
  ['AGENT-TOKENS-CREATE-01', 'AGENT-TOKENS-FIELD-11'],
  'a description may be as short as one character, and look like anything, in every letter case',
  async (context) => void (await decideKept(context, await aPool(context.bench), [...PLAIN, 'A', 'z'])),
)

/** Descriptions that a server confuses if it compares only a part of them, or less than each character. */
const nearTexts = (text: string): string[] => {
  const [beginning, end] = [text.slice(0, text.length / 2), text.slice(text.length / 2)]
  return [
    text,
    // They begin alike, and differ in the last character: in nothing but its case or its accent, too.
    ...['a', 'b', 'A', 'e', 'é', 'e\u0301', '1', '01', ' '].map((last) => text + last),
    // They end alike.
    ...['a', 'b', ' '].map((first) => first + text),
    // They do both.
    ...['a', 'b'].map((middle) => beginning + middle + end),
    // The beginning and the end of others.
    beginning,
    end,
  ]
}

check(
  'agent-tokens/near-descriptions',
  ['AGENT-TOKENS-CREATE-01', 'AGENT-TOKENS-DESTROY-05', 'AGENT-TOKENS-FIELD-11', 'AGENT-TOKENS-FIELD-15', 'AGENT-TOKENS-SECRET-07'],
  'tokens whose descriptions begin or end alike, or differ in one character, are tokens of their own',
  async (context) => {
    const { bench, expect } = context
    const pool = await aPool(bench)
    const made = (await decideKept(context, pool, nearTexts(`${bench.fresh('token')} ${bench.random.word(160)}`))).map(({ data }) => data)
    const secrets = made.map((token) => attributesOf(token).token).filter((secret) => typeof secret === 'string')
    await bench.decide('AGENT-TOKENS-FIELD-15', () => expect(new Set(made.map(({ id }) => id)).size, 'different ids').toBe(made.length))
    await bench.decide('AGENT-TOKENS-SECRET-07', () => expect(new Set(secrets).size, 'different secrets').toBe(secrets.length))
    const [gone, ...kept] = made
    if (gone === undefined) return
    await bench.given('agentTokens.destroy', { path: { id: String(gone.id) } })
    await settled(bench, pool)
    const listed = new Map((await pagesOf(bench, pool, 20)).flatMap(itemsOf).map((token) => [token.id, attributesOf(token).description]))
    await bench.decide('AGENT-TOKENS-DESTROY-05', () =>
      expect(
        kept.map(({ id }) => listed.get(id!)),
        'descriptions listed once a token has gone whose description is the beginning of others',
      ).toEqual(kept.map((token) => attributesOf(token).description)),
    )
  },
)

check(
  'agent-tokens/long-description',
  'AGENT-TOKENS-FIELD-11',
  'a description that is accepted comes back whole, however long it is and whichever lines it has',
  async ({ bench, expect }) => {
    const pool = await aPool(bench)
    const long = [256, 300, 1000].map((length) => `${'ä'.repeat(length)}.`)
    let accepted = 0
    for (const text of [...long, 'line\r\nline\r\n', 'line\nline', 'line\rline', 'tab\ttab']) {
      const description = `${bench.fresh('token')} ${text}`
      const answer = await bench.call('agentTokens.create', { ...inPool(pool, creation(description)), invalid: true })
      if (!answer.ok) continue
      accepted += 1
      await settled(bench, pool)
      for (const [place, token] of Object.entries(await placesOf(bench, pool, String(answer.data.id), answer.data)))
        expect(attributesOf(token).description, `a description of ${description.length} characters ${place}`).toBe(description)
    }
    if (accepted === 0) bench.blocked('no description of 256 characters or more, or of two lines, is accepted', 'nothing says which may be')
  },
)

check('agent-tokens/ids-differ', 'AGENT-TOKENS-FIELD-15', 'no two tokens share an id', async ({ bench, expect }) => {
  const pool = await aPool(bench)
  const created = await Promise.all(Array.from({ length: 8 }, () => createToken(bench, pool)))
  expect(new Set(created.map(({ id }) => id)).size).toBe(8)
  const listed = (await pagesOf(bench, pool, 20)).flatMap(idsOf)
  expect(new Set(listed).size).toBe(listed.length)
})
