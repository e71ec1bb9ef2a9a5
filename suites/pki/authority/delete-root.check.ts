/** Deleting the CA's key. */
import { type Answer, certificateRequest, check, ownCertificate } from '../../../harness/checks/index.ts'
import {
  ask,
  caAsServed,
  expectOwnCa,
  issuesNothing,
  leaveRoot,
  openRole,
  ownAuthority,
  pemBlocks,
  readBySerial,
  rootWanted,
  sameText,
  WAYS,
  withoutRoot,
  withRoot,
} from '../fixtures.ts'
import { withoutSudo } from './without-sudo.ts'

check(
  'pki/delete-root',
  ['PKI-DELETE-01', 'PKI-DELETE-02', 'PKI-DELETE-04', 'PKI-ISSUE-21'],
  'a deleted CA issues no more, stays readable, and makes room',
  { needs: ownAuthority },
  async (context) => {
    const { bench, expect } = context
    await withoutRoot(bench)
    const { data } = await bench.given('pki.generateRoot', rootWanted(bench))
    // What a server keeps of what was read shows when there is another root.
    await caAsServed(bench)()
    const role = await openRole(bench)
    const csr = await certificateRequest({ commonName: 'a' })
    const { certificate: selfIssued } = await ownCertificate({ commonName: bench.fresh('old'), ca: true })
    // Each has been done before: what a server keeps of the CA from then must not serve any more.
    const everyWay: [what: string, get: () => Promise<Answer>][] = [
      ...WAYS.map((way): [string, () => Promise<Answer>] => [way, () => ask(bench, way, role)]),
      ['an intermediate', () => bench.call('pki.signIntermediate', { body: { csr, common_name: 'Below', ttl: '24h' } })],
      ['a self-issued certificate', () => bench.call('pki.signSelfIssued', { body: { certificate: selfIssued } })],
    ]
    for (const [, get] of everyWay) await get()
    const isReadByNumber = (await readBySerial(bench, String(data.serial_number))).ok
    const deleted = await bench.call('pki.deleteRoot')
    await bench.decide('PKI-DELETE-01', () => expect(deleted).toSucceed())
    for (const time of ['first', 'second'])
      for (const [what, get] of everyWay)
        await issuesNothing(context, 'PKI-DELETE-01', `${what}, the ${time} time after the deletion`, await get())
    await bench.decide('PKI-DELETE-02', async () => {
      const routes = [
        (await bench.call('pki.readCaPem')).text,
        (await bench.call('pki.readCaChain')).text,
        String((await readBySerial(bench, String(data.serial_number))).data.certificate ?? ''),
      ]
      expect(routes.flatMap(pemBlocks).map(sameText)).toContain(sameText(data.certificate))
    })
    await bench.decide('PKI-DELETE-04', async () => {
      const again = await bench.call('pki.generateRoot', rootWanted(bench))
      expect(again).toSucceed()
      await expectOwnCa(bench, expect, String(again.data.certificate))
    })
    // The CA's own certificate need not be among those that are read by their number.
    if (!isReadByNumber) return
    await bench.decide('PKI-DELETE-02', async () => {
      const old = (await readBySerial(bench, String(data.serial_number))).data.certificate
      expect(sameText(old), 'the certificate of the deleted root, by its number, beside another root').toBe(sameText(data.certificate))
    })
  },
)

check(
  'pki/deleted-key-stays-away',
  ['PKI-DELETE-01', 'PKI-ISSUE-21'],
  'the key of a deleted CA does not come back with its certificate',
  { kind: 'security', needs: ownAuthority },
  async (context) => {
    const { bench, expect } = context
    await withoutRoot(bench)
    const role = await openRole(bench)
    const { data } = await bench.given('pki.generateRoot', rootWanted(bench))
    expect((await ask(bench, 'issue', role)).ok, 'whether it issues').toBe(true)
    await bench.given('pki.deleteRoot')
    // Whether a certificate without a key is taken is not said: it is none that issues.
    await bench.call('pki.setSigned', { body: { certificate: data.certificate! } })
    leaveRoot(bench)
    for (const way of WAYS)
      await issuesNothing(context, 'PKI-DELETE-01', `${way} once the certificate was set`, await ask(bench, way, role))
  },
)

check(
  'pki/delete-root-sudo',
  'PKI-DELETE-03',
  'deleting the CA needs sudo, also once somebody who has it has deleted one',
  { kind: 'security', needs: { ...ownAuthority, features: ['identities'] } },
  async ({ bench, expect }) => {
    const sudo = await bench.identity([{ operation: 'pki.deleteRoot', capabilities: ['delete', 'sudo'] }])
    for (const [what, plain] of await withoutSudo(bench, 'pki.deleteRoot')) {
      await withRoot(bench)
      leaveRoot(bench)
      await bench.refuses('pki.deleteRoot', { bad: { as: plain }, control: { as: sudo }, unchanged: caAsServed(bench) })
      // The old certificate stays readable: showing one does not prove a CA.
      // A caller who may make one, and did, may not delete it for that.
      const own = await bench.call('pki.generateRoot', { ...rootWanted(bench), as: plain })
      if (!own.ok) await bench.given('pki.generateRoot', rootWanted(bench))
      const role = await openRole(bench)
      const served = await caAsServed(bench)()
      for (const carrier of ['token', 'bearer'])
        expect(await bench.call('pki.deleteRoot', { as: plain, carrier }), `by a caller ${what}, with the ${carrier} header`).toBeRefused()
      expect(await caAsServed(bench)(), 'the second CA, after the refusals').toEqual(served)
      expect((await ask(bench, 'issue', role)).ok, 'whether it still issues').toBe(true)
    }
  },
)
