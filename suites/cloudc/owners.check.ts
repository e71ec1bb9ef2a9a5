/** Whose the tokens and keys are that rolesets of one project give which are alike: in turn, by each verb, and after what happens to one of them. */
import { check, type JsonObject } from '../../harness/checks/index.ts'
import { blocks, FOURTH_SCOPE, needs, OTHER_SCOPE, ownTokens, placeFor, SCOPE, THIRD_SCOPE } from './fixtures.ts'

check(
  'cloudc/owners-of-tokens',
  ['CLOUDC-TOK-04', 'CLOUDC-TOK-05'],
  'tokens are those of the roleset that is asked, however like it others are',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const browser = { bindings: blocks({ [place.resources.project]: ['roles/browser'] }) }
    const scopes = new Map<string, string[]>()
    const write = async (name: string, token_scopes: string[], more: JsonObject = {}): Promise<void> => {
      await place.roleset({ token_scopes, ...more }, name)
      scopes.set(name, token_scopes)
    }
    // Two that are alike in everything, and such as differ from them in one thing.
    const [one, like, bound, scoped, wide] = Array.from({ length: 5 }, () => place.name()) as [string, string, string, string, string]
    await write(one, [SCOPE])
    await write(like, [SCOPE])
    await write(bound, [SCOPE], browser)
    await write(scoped, [OTHER_SCOPE])
    await write(wide, [SCOPE, OTHER_SCOPE])
    // Both ways: the first caller would get its own anyway.
    for (const [round, [what, change]] of (
      [
        ['at first', async () => undefined],
        ['the other way round', async () => undefined],
        ['after a rotation', () => bench.given('cloudc.rotate', { path: { name: one } })],
        ['after a rotation of a key', () => bench.given('cloudc.rotateKey', { path: { name: like } })],
        ['after other bindings, which another has', () => write(like, [SCOPE], browser)],
        ['after other scopes, which another has', () => write(scoped, [SCOPE])],
        ['after scopes that were those of another', () => write(wide, [OTHER_SCOPE])],
        ['after more scopes', () => write(one, [FOURTH_SCOPE, SCOPE, THIRD_SCOPE])],
        ['after a deletion', () => bench.given('cloudc.deleteRoleset', { path: { name: bound } })],
        ['once it was created again', () => write(bound, [SCOPE])],
      ] as [string, () => Promise<unknown>][]
    ).entries()) {
      await change()
      const names = [...scopes.keys()].filter((name) => what !== 'after a deletion' || name !== bound)
      for (const name of round % 2 === 0 ? names : names.reverse()) {
        const seen = await place.tokens(name)
        const wanted = ownTokens(scopes.get(name) ?? [])
        const members = (of: 'isOwn' | 'scopes', all: unknown[]) =>
          all.map((token) => (token as { isOwn?: boolean; scopes?: string[] })[of])
        await bench.decide('CLOUDC-TOK-05', () =>
          expect(members('isOwn', seen), `of its own account, ${what}`).toEqual(members('isOwn', wanted)),
        )
        await bench.decide('CLOUDC-TOK-04', () => expect(members('scopes', seen), `scopes ${what}`).toEqual(members('scopes', wanted)))
      }
    }
  },
)

/** A provider has ten keys of an account at most: none of them has more than eight here. */
check(
  'cloudc/owners-of-keys',
  ['CLOUDC-KEY-03', 'CLOUDC-KEY-04', 'CLOUDC-LEASE-03', 'CLOUDC-LEASE-01'],
  'keys are those of the roleset that is asked, however like it others are',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench, { ttl: 600, max_ttl: 7200 })
    const browser = { bindings: blocks({ [place.resources.project]: ['roles/browser'] }) }
    const [one, like] = [await place.keyRoleset(), await place.keyRoleset()]
    const leases: string[] = []
    for (const [what, change] of [
      ['at first', async () => undefined],
      ['after a rotation', () => bench.given('cloudc.rotate', { path: { name: one } })],
      ['after other bindings', () => place.keyRoleset(browser, like)],
      ['after bindings that are those of another', () => place.keyRoleset(browser, one)],
      [
        'once it was deleted and created again',
        () => bench.given('cloudc.deleteRoleset', { path: { name: one } }).then(() => place.keyRoleset({}, one)),
      ],
    ] as const) {
      await change()
      for (const [operation, names] of [
        ['cloudc.readKey', [one, like]],
        ['cloudc.createKey', [like, one]],
      ] as const)
        for (const roleset of names) {
          const email = await place.email(roleset)
          const answer = await bench.call(operation, { path: { roleset }, ...(operation === 'cloudc.createKey' ? { body: {} } : {}) })
          const label = `${operation} ${what}`
          await bench.decide('CLOUDC-KEY-03', () => {
            expect(answer, label).toHaveStatus(200)
            expect(place.keyIn(answer).facts.email, `account, ${label}`).toBe(email)
          })
          const key = place.keyIn(answer)
          await bench.decide('CLOUDC-KEY-04', () => place.logsIn(key, `a key, ${label}`))
          await bench.decide('CLOUDC-LEASE-03', () =>
            expect(Math.abs(key.duration - 600), `difference from 600 s, ${label}`).toBeLessThanOrEqual(2),
          )
          leases.push(key.lease)
          await bench.decide('CLOUDC-LEASE-01', () => expect(new Set(leases).size, `leases, each its own, ${label}`).toBe(leases.length))
        }
    }
  },
)
