import { type Answer, check, isBackendFailure, type JsonObject } from '../../harness/checks/index.ts'
import { blocks, KEYS, needs, OTHER_SCOPE, placeFor, rightsFor, SCOPE } from './fixtures.ts'

const failed = (answer: Answer): string | true => isBackendFailure(answer.status) || `4xx, 500 or 502; it was ${answer.status}`

check(
  'cloudc/failing-creation',
  ['CLOUDC-FAIL-01', 'CLOUDC-FAIL-05', 'CLOUDC-FAIL-06'],
  'a roleset that the provider fails to make leaves nothing',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const body = place.body({
      bindings: blocks({ [place.resources.project]: ['roles/viewer'], [place.resources.alpha]: ['roles/pubsub.viewer'] }),
    })
    // The administrator's token is there before the failures begin.
    await place.roleset()
    const accounts = await place.accounts()
    for (const order of [
      { operation: 'iam.createAccount', status: 503, times: 1 },
      { operation: 'resources.setPolicy', status: 500, times: 1 },
      { operation: 'resources.getPolicy', cut: true, times: 1 },
      { operation: 'iam.createKey', status: 503, times: 1 },
    ]) {
      const name = place.name()
      await place.cloud.order(order)
      const answer = await bench.call('cloudc.writeRoleset', { path: { name }, body })
      const seen = (await place.cloud.seen()).filter(
        ({ operation, status }) => operation === order.operation && (status >= 500 || status === 0),
      ).length
      if (answer.ok && seen > 0) {
        // A target may try again, and come to the same end as if nothing had been.
        await bench.given('cloudc.deleteRoleset', { path: { name } })
        continue
      }
      await place.cloud.order()
      await bench.decide('CLOUDC-FAIL-01', async () => {
        expect(failed(answer)).toBe(true)
        expect(await place.read(name)).toHaveStatus(404)
      })
      await bench.decide('CLOUDC-FAIL-06', () =>
        bench.eventually(async () => expect(await place.accounts(), 'accounts at the provider').toEqual(accounts)),
      )
      const again = await bench.call('cloudc.writeRoleset', { path: { name }, body })
      await bench.decide('CLOUDC-FAIL-05', () => expect(again).toSucceed())
      await bench.given('cloudc.deleteRoleset', { path: { name } })
    }
  },
)

check(
  'cloudc/failing-secrets',
  ['CLOUDC-FAIL-02', 'CLOUDC-FAIL-03', 'CLOUDC-FAIL-05'],
  'without the provider the server issues neither tokens nor keys',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    for (const [roleset, operation, ordered, clause] of [
      [await place.roleset(), 'cloudc.readToken', 'token.grant', 'CLOUDC-FAIL-02'],
      [await place.roleset(), 'cloudc.createToken', 'token.grant', 'CLOUDC-FAIL-02'],
      [await place.keyRoleset(), 'cloudc.readKey', 'iam.createKey', 'CLOUDC-FAIL-03'],
      [await place.keyRoleset(), 'cloudc.createKey', 'iam.createKey', 'CLOUDC-FAIL-03'],
    ] as const) {
      for (const how of [{ status: 503 }, { status: 500 }, { cut: true }]) {
        await place.cloud.order({ operation: ordered, ...how })
        const answer = await bench.call(operation, { path: { roleset } })
        await place.cloud.order()
        await bench.decide(clause, () => expect(failed(answer)).toBe(true))
      }
      const again = await bench.call(operation, { path: { roleset } })
      await bench.decide('CLOUDC-FAIL-05', () => expect(again).toHaveStatus(200))
    }
  },
)

check(
  'cloudc/failing-rotation',
  ['CLOUDC-FAIL-04', 'CLOUDC-FAIL-05', 'CLOUDC-FAIL-07'],
  'a rotation that fails leaves the roleset as it was, and usable',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const bindings = { [place.resources.project]: ['roles/viewer'], [place.resources.beta]: ['roles/pubsub.viewer'] }
    /** Rotates while the provider fails, and reads the roleset. A target may try again: then its account is another one. */
    const failingRotation = async (name: string, operation: string): Promise<void> => {
      const before = (await place.read(name)).data
      await place.cloud.order({ operation, status: 503, times: 1 })
      const rotated = await bench.call('cloudc.rotate', { path: { name } })
      await place.cloud.order()
      const { service_account_email, ...after } = (await place.read(name)).data
      const { service_account_email: email, ...same } = before
      await bench.decide('CLOUDC-FAIL-04', () => {
        expect(after, `the roleset after a failure of ${operation}`).toEqual(same)
        if (!rotated.ok) expect(service_account_email, `its account after a failure of ${operation}`).toBe(email)
      })
    }
    const keys = await place.keyRoleset({ bindings: blocks(bindings) })
    for (const operation of bench.few(['iam.createAccount', 'resources.setPolicy'], 1)) {
      await failingRotation(keys, operation)
      const answer = await bench.call('cloudc.readKey', { path: { roleset: keys } })
      await bench.decide('CLOUDC-FAIL-07', async () => {
        expect(answer, `a key after a failure of ${operation}`).toHaveStatus(200)
        const key = place.keyIn(answer)
        expect(key.facts.email).toBe(await place.email(keys))
        await place.logsIn(key, 'the key')
        await bench.eventually(async () => expect(await place.rights(key.facts.email)).toEqual(rightsFor(bindings)))
      })
    }
    const name = await place.roleset({ bindings: blocks(bindings) })
    for (const operation of bench.few(['iam.createAccount', 'resources.setPolicy', 'iam.createKey'], 2)) {
      await failingRotation(name, operation)
      const token = await bench.call('cloudc.readToken', { path: { roleset: name } })
      await bench.decide('CLOUDC-FAIL-07', async () => {
        expect(token).toHaveStatus(200)
        const info = await place.judge.tokenInfo(String(token.data.token))
        expect(info?.email).toBe(await place.email(name))
        await bench.eventually(async () => expect(await place.rights(String(info?.email))).toEqual(rightsFor(bindings)))
      })
    }
    const again = await bench.call('cloudc.rotate', { path: { name } })
    await bench.decide('CLOUDC-FAIL-05', () => expect(again).toSucceed())
  },
)

check(
  'cloudc/failing-update',
  ['CLOUDC-BIND-16', 'CLOUDC-BIND-22', 'CLOUDC-FAIL-05'],
  'an update that fails changes nothing, and may be sent again',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const { project, alpha, beta } = place.resources
    const bindings = { [project]: ['roles/viewer'], [alpha]: ['roles/pubsub.viewer'] }
    const changed = { [beta]: ['roles/pubsub.viewer'], [project]: ['roles/browser'] }
    for (const [kind, scopes] of [
      [{}, { token_scopes: [OTHER_SCOPE] }],
      [KEYS, {}],
    ] as [JsonObject, JsonObject][]) {
      const name = await place.roleset({ ...kind, bindings: blocks(bindings) })
      const { data } = await place.read(name)
      const email = String(data.service_account_email)
      await bench.eventually(async () => expect(await place.rights(email)).toEqual(rightsFor(bindings)))
      const accounts = await place.accounts()
      const key = kind === KEYS ? await place.key(name) : undefined
      if (key !== undefined) await place.logsIn(key, 'a key before')
      const body = place.body({ ...kind, ...scopes, bindings: blocks(changed) })
      let isChanged = false
      for (const operation of ['iam.createAccount', 'resources.setPolicy', ...(key === undefined ? ['iam.createKey'] : [])]) {
        await place.cloud.order({ operation, status: 503, times: 1 })
        const answer = await bench.call('cloudc.writeRoleset', { path: { name }, body })
        await place.cloud.order()
        // A target may try again, and succeed.
        isChanged = answer.ok
        if (isChanged) break
        await bench.decide('CLOUDC-BIND-16', async () => {
          expect(failed(answer), operation).toBe(true)
          expect((await place.read(name)).data, `the roleset after a failure of ${operation}`).toEqual(data)
        })
        await bench.decide('CLOUDC-BIND-22', async () => {
          await bench.eventually(async () => expect(await place.accounts(), 'accounts').toEqual(accounts))
          await bench.eventually(async () => expect(await place.rights(email), 'rights').toEqual(rightsFor(bindings)))
          if (key === undefined) {
            const info = await place.judge.tokenInfo(String((await place.token(name)).data.token))
            expect([info?.email, info?.scopes], 'a token').toEqual([email, [SCOPE]])
          } else expect(await place.judge.login(key.file), 'the key from before').toBeDefined()
        })
      }
      const again = isChanged ? undefined : await bench.call('cloudc.writeRoleset', { path: { name }, body })
      await bench.decide('CLOUDC-FAIL-05', async () => {
        if (again !== undefined) expect(again).toSucceed()
        const now = await place.email(name)
        expect(now, 'the account').not.toBe(email)
        await bench.eventually(async () => expect(await place.rights(now)).toEqual(rightsFor(changed)))
      })
    }
  },
)
