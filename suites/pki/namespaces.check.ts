/** Mounts in a namespace, and in one within it: what is open to anyone is open there, and what needs sudo needs it there. */
import { check } from '../../harness/checks/index.ts'
import { caAsServed, emptyMounts, quickKey, rootWanted } from './fixtures.ts'

const PLAIN = ['create', 'read', 'update', 'delete', 'list'] as const

const OPEN = [
  ['PKI-CA-03', 'pki.readCa'],
  ['PKI-CA-04', 'pki.readCaPem'],
  ['PKI-CHAIN-02', 'pki.readCaChain'],
] as const

check(
  'pki/open-in-namespaces',
  ['PKI-CA-03', 'PKI-CA-04', 'PKI-CHAIN-02', 'PKI-CERT-02'],
  'in namespaces too the CA and certificates are read without a token',
  { needs: { ...emptyMounts, features: ['mounts', 'namespaces'] } },
  async ({ bench, expect }) => {
    const outer = await bench.namespace()
    for (const namespace of [outer, await bench.namespace(outer)]) {
      const mount = await bench.mount('pki', { namespace })
      await bench.given('pki.generateRoot', { ...rootWanted(bench), mount })
      for (const [clause, operation] of OPEN)
        await bench.decide(clause, async () => expect(await bench.call(operation, { mount, as: 'none' }), operation).toHaveStatus(200))
      const name = bench.fresh('role')
      await bench.given('pki.writeRole', { path: { name }, body: { allow_any_name: true, ttl: '1h', ...quickKey }, mount })
      const { data } = await bench.given('pki.issue', { path: { name }, body: { common_name: 'www.example.com' }, mount })
      const serial = String(data.serial_number)
      const spelled = [serial, serial.replaceAll(':', '-')]
      const known: string[] = []
      for (const path of spelled) if ((await bench.call('pki.readCertificate', { path: { serial: path }, mount })).ok) known.push(path)
      await bench.decide('PKI-CERT-02', async () => {
        for (const path of known)
          expect(await bench.call('pki.readCertificate', { path: { serial: path }, mount, as: 'none' }), path).toHaveStatus(200)
      })
    }
  },
)

check(
  'pki/sudo-in-namespaces',
  'PKI-DELETE-03',
  'in namespaces too the root is deleted with sudo only',
  { kind: 'security', needs: { ...emptyMounts, features: ['mounts', 'namespaces', 'identities'] } },
  async ({ bench, expect }) => {
    const outer = await bench.namespace()
    for (const namespace of [outer, await bench.namespace(outer)]) {
      const mount = await bench.mount('pki', { namespace })
      await bench.given('pki.generateRoot', { ...rootWanted(bench), mount })
      const served = caAsServed(bench, { mount })
      const before = await served()
      const plain = await bench.identity([{ operation: 'pki.deleteRoot', mount, capabilities: [...PLAIN] }], { namespace })
      expect(await bench.call('pki.deleteRoot', { mount, as: plain }), 'a deletion without sudo').toBeRefused()
      expect(await served(), 'the CA afterwards').toEqual(before)
      const able = await bench.identity([{ operation: 'pki.deleteRoot', mount, capabilities: [...PLAIN, 'sudo'] }], { namespace })
      await bench.given('pki.deleteRoot', { mount, as: able })
    }
  },
)
