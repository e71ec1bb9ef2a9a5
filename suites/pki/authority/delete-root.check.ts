/** Deleting the CA's key. */
import { certificateRequest, check } from '../../../harness/checks/index.ts'
import {
  ask,
  caAsServed,
  issue,
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

check(
  'pki/delete-root',
  ['PKI-DELETE-01', 'PKI-DELETE-02', 'PKI-DELETE-04'],
  'a deleted CA issues no more, stays readable, and makes room',
  { needs: ownAuthority },
  async (context) => {
    const { bench, expect } = context
    await withoutRoot(bench)
    const { data } = await bench.given('pki.generateRoot', rootWanted(bench))
    const role = await openRole(bench)
    await issue(context, role)
    const deleted = await bench.call('pki.deleteRoot')
    await bench.decide('PKI-DELETE-01', async () => {
      expect(deleted).toSucceed()
      for (const way of WAYS) expect(await ask(bench, way, role), way).toBeRefused()
      const csr = await certificateRequest({ commonName: 'a' })
      const below = await bench.call('pki.signIntermediate', { body: { csr, common_name: bench.fresh('below'), ttl: '24h' } })
      expect(below, 'an intermediate').toBeRefused()
    })
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
      expect(sameText((await bench.call('pki.readCaPem')).text)).toBe(sameText(again.data.certificate))
    })
  },
)

check(
  'pki/delete-root-sudo',
  'PKI-DELETE-03',
  'deleting the CA needs sudo, also once somebody who has it has deleted one',
  { kind: 'security', needs: { ...ownAuthority, features: ['identities'] } },
  async ({ bench, expect }) => {
    await withRoot(bench)
    leaveRoot(bench)
    const plain = await bench.identity([{ operation: 'pki.deleteRoot', capabilities: ['create', 'read', 'update', 'delete', 'list'] }])
    const sudo = await bench.identity([{ operation: 'pki.deleteRoot', capabilities: ['delete', 'sudo'] }])
    await bench.refuses('pki.deleteRoot', { bad: { as: plain }, control: { as: sudo }, unchanged: caAsServed(bench) })
    await withRoot(bench)
    leaveRoot(bench)
    const served = await caAsServed(bench)()
    expect(await bench.call('pki.deleteRoot', { as: plain }), 'a second deletion, without sudo').toBeRefused()
    expect(await caAsServed(bench)(), 'the second CA, after the refusal').toEqual(served)
  },
)
