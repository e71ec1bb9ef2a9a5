import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, type CheckContext, changedAt, check, type Identity } from '../../../harness/checks/index.ts'
import {
  type Attempt,
  attemptAll,
  CARRIERS,
  expectNothingShown,
  expectUntouched,
  INCAPABLE,
  masterOf,
  type Place,
  placeIn,
  useEverywhere,
} from './attempts.ts'

type Context = Pick<CheckContext, 'bench' | 'expect'>

const OWN = { own: { type: 'kv1' } }
const identities = { features: ['identities' as const], mounts: OWN }
const namespaced = { features: ['identities' as const, 'namespaces' as const] }

/** Tokens that look like a good one and were never issued. */
const neverIssued = (bench: Bench, { token, name }: Identity): [string, Identity][] => {
  const swapped = [...token].map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())).join('')
  const texts = {
    'cut short': token.slice(0, -4),
    'cut to half': token.slice(0, token.length / 2),
    prolonged: `${token}x0`,
    // A token whose letters have one case may be hexadecimal, which ignores case.
    ...(/[a-z]/.test(token) && /[A-Z]/.test(token) ? { 'in other case': swapped } : {}),
    'followed by a comma and more': `${token},x0`,
    'with its first letter changed': changedAt(token, 0),
    'with its middle letter changed': changedAt(token, token.length >> 1),
    'with its last letter changed': changedAt(token, token.length - 1),
  }
  for (const text of Object.values(texts)) bench.secret(text)
  return Object.entries(texts)
    .filter(([, text]) => text !== token)
    .map(([kind, text]) => [kind, { name, token: text }])
}

const expectForbidden = ({ expect }: Context, attempts: readonly Attempt[], who: string): void => {
  for (const { answer, label } of attempts) expect(answer, `${label}, ${who}`).toHaveStatus(403)
}

/** Nobody is let in: no verb without a token has an answer or an effect. */
const nobodyLetIn = async ({ bench, expect }: Context, place: Place): Promise<void> => {
  // What somebody was let do just before is for nobody else.
  await useEverywhere(bench, place, await masterOf(bench, place))
  const attempts = await attemptAll(bench, place, 'none', 'token')
  await bench.decide('CORE-AUTH-01', () => {
    for (const { answer, label } of attempts) expect(answer, `${label}, without a token`).toBeRefused()
    expectNothingShown(expect, attempts, place)
  })
  await bench.decide('CORE-AUTH-04', () => expectUntouched(bench, expect, place))
}

/** Tokens that were never issued are refused by every verb, with each carrier, without effect. */
const neverLetIn = async (context: Context, place: Place): Promise<void> => {
  const { bench, expect } = context
  const master = await masterOf(bench, place)
  const isLetIn = async (): Promise<void> => {
    for (const carrier of CARRIERS) await bench.given('kv1.read', { mount: place.mount, path: { path: place.path }, as: master, carrier })
  }
  // A server may remember who was let in: that is for the whole of a token.
  await isLetIn()
  for (const [who, as] of [['never issued', 'wrong'] as const, ...neverIssued(bench, master)]) {
    for (const carrier of CARRIERS) {
      const attempts = await attemptAll(bench, place, as, carrier)
      await bench.decide(carrier === 'bearer' ? 'CORE-AUTH-08' : 'CORE-AUTH-03', () => {
        expectForbidden(context, attempts, `a token ${who}`)
        expectNothingShown(expect, attempts, place)
      })
    }
  }
  await bench.decide('CORE-AUTH-05', () => expectUntouched(bench, expect, place))
  await isLetIn()
}

for (const [id, clauses, title, tried] of [
  ['no-token', ['CORE-AUTH-01', 'CORE-AUTH-04'], 'without a token nothing opens, by any verb', nobodyLetIn],
  [
    'never-issued-tokens',
    ['CORE-AUTH-03', 'CORE-AUTH-05', 'CORE-AUTH-08'],
    'tokens that only look like a good one open nothing, by any verb or carrier',
    neverLetIn,
  ],
] as const) {
  check(`core/${id}-on-entries`, [...clauses], title, { kind: 'security', needs: identities }, async ({ bench, expect }) =>
    tried({ bench, expect }, await placeIn(bench, 'own')),
  )
  check(
    `core/${id}-in-namespaces`,
    [...clauses],
    `${title}, in a namespace and in one within it`,
    { kind: 'security', needs: namespaced },
    async ({ bench, expect }) => {
      const outer = await bench.namespace()
      for (const namespace of [outer, await bench.namespace(outer)])
        await tried({ bench, expect }, await placeIn(bench, await bench.mount('kv1', { namespace }), namespace))
    },
  )
}

/** A token that was good and no longer is: once it has ended, refused by every verb, with each carrier, without effect. */
const ended = async (context: Context, clause: string, place: Place, caller: Identity, within: number): Promise<void> => {
  const { bench, expect } = context
  const read = { mount: place.mount, path: { path: place.path }, as: caller }
  await bench.decide(clause, async () => {
    await bench.eventually(async () => expect(await bench.call('kv1.read', read), 'a read with a token that has ended').toHaveStatus(403), {
      within,
      because: 'the token has ended',
    })
    for (const carrier of CARRIERS) {
      const attempts = await attemptAll(bench, place, caller, carrier)
      expectForbidden(context, attempts, 'a token that has ended')
      expectNothingShown(expect, attempts, place)
    }
    await expectUntouched(bench, expect, place)
  })
}

check(
  'core/revoked-token',
  'CORE-AUTH-15',
  'a token that worked and was revoked opens nothing',
  { kind: 'security', needs: identities },
  async ({ bench, expect }) => {
    const place = await placeIn(bench, 'own')
    const [caller, other] = [await masterOf(bench, place), await masterOf(bench, place)]
    for (const one of [caller, other]) await useEverywhere(bench, place, one)
    await bench.endToken(caller)
    await ended({ bench, expect }, 'CORE-AUTH-15', place, caller, bench.grace)
    await useEverywhere(bench, place, other)
  },
)

check(
  'core/revoked-token-in-namespace',
  'CORE-AUTH-15',
  'a token of a namespace that worked and was revoked opens nothing',
  { kind: 'security', needs: namespaced },
  async ({ bench, expect }) => {
    const namespace = await bench.namespace(await bench.namespace())
    const place = await placeIn(bench, await bench.mount('kv1', { namespace }), namespace)
    const caller = await masterOf(bench, place)
    await useEverywhere(bench, place, caller)
    await bench.endToken(caller)
    await ended({ bench, expect }, 'CORE-AUTH-15', place, caller, bench.grace)
  },
)

check(
  'core/revoked-beside-its-like',
  'CORE-AUTH-19',
  'the end of a token leaves those that were made before and after it with the same policies and the same display name',
  { kind: 'security', needs: identities },
  async ({ bench, expect }) => {
    const place = await placeIn(bench, 'own')
    const first = await masterOf(bench, place, { displayName: 'caller' })
    const like = { displayName: 'caller', like: first }
    const [second, third] = [await masterOf(bench, place, like), await masterOf(bench, place, like)]
    for (const one of [first, second, third]) await useEverywhere(bench, place, one)
    await bench.endToken(second)
    const read = (as: Identity, carrier: (typeof CARRIERS)[number] = 'token') =>
      bench.call('kv1.read', { mount: place.mount, path: { path: place.path }, as, carrier })
    // A server may see the end of one only when it is asked with it: the others are asked before that and after it.
    for (const when of ['revoked', 'refused']) {
      if (when === 'refused') {
        const until = Date.now() + bench.grace
        while ((await read(second)).ok && Date.now() < until) await sleep(100)
      }
      for (const [which, as] of [
        ['before', first],
        ['after', third],
      ] as const)
        for (const carrier of CARRIERS)
          expect(await read(as, carrier), `a read with the token made ${which} the one that was ${when}`).toHaveStatus(200)
    }
  },
)

const SHORT = 2

check(
  'core/expired-token',
  'CORE-AUTH-16',
  'a token that worked opens nothing once its time is over',
  { kind: 'security', needs: identities },
  async ({ bench, expect }) => {
    const place = await placeIn(bench, 'own')
    const caller = await masterOf(bench, place, { ttl: SHORT })
    const first = await bench.call('kv1.read', { mount: 'own', path: { path: place.path }, as: caller })
    if (!first.ok && first.status !== 403) await bench.given('kv1.read', { mount: 'own', path: { path: place.path }, as: caller })
    // The time may be over before it has done everything.
    for (const carrier of CARRIERS)
      for (const method of ['LIST', 'GET'])
        await bench.call('kv1.list', { mount: 'own', path: { directory: `${place.directory}/` }, as: caller, carrier, method })
    await ended({ bench, expect }, 'CORE-AUTH-16', place, caller, SHORT * 1000 + bench.grace)
  },
)

check(
  'core/expired-unused-token',
  'CORE-AUTH-16',
  'a token that nobody used opens nothing once its time is over',
  { kind: 'security', needs: identities, waits: true },
  async ({ bench, expect }) => {
    const place = await placeIn(bench, 'own')
    const callers = [await masterOf(bench, place, { ttl: SHORT }), await masterOf(bench, place, { ttl: SHORT })]
    await sleep(SHORT * 1000 + bench.grace)
    for (const [index, carrier] of CARRIERS.entries()) {
      const attempts = await attemptAll(bench, place, callers[index]!, carrier)
      expectForbidden({ bench, expect }, attempts, 'a token that ended unused')
      expectNothingShown(expect, attempts, place)
    }
    await expectUntouched(bench, expect, place)
  },
)

for (const [kind, clause] of INCAPABLE)
  check(
    `core/strangers-token-${kind}`,
    clause,
    "another's good token opens nothing by any carrier, in the root and in namespaces",
    { kind: 'security', needs: namespaced },
    async ({ bench, expect }) => {
      const outer = await bench.namespace()
      for (const namespace of ['', outer, await bench.namespace(outer)]) {
        const mount = await bench.mount('kv1', { namespace })
        const [place, beside] = [await placeIn(bench, mount, namespace), await placeIn(bench, mount, namespace)]
        // A caller who may do it has done it, and has the same name.
        const owner = await masterOf(bench, place, { displayName: 'caller' })
        const stranger = await masterOf(bench, beside, { displayName: 'caller' })
        for (const [one, own] of [
          [owner, place],
          [stranger, beside],
        ] as const)
          await useEverywhere(bench, own, one)
        for (const carrier of CARRIERS) {
          const attempts = await attemptAll(bench, place, stranger, carrier, kind)
          if (attempts.length === 0) bench.observe(clause, 'nobody may do that here')
          for (const { answer, label } of attempts) expect(answer, `${label} by another`).toHaveStatus(403, 404)
          expectNothingShown(expect, attempts, place)
          await expectUntouched(bench, expect, place)
        }
      }
    },
  )
