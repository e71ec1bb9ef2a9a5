/** What a refused request, a deletion or a second one leaves behind: nothing that shows in what comes later. */
import { check, type JsonObject, ownCertificate } from '../../harness/checks/index.ts'
import {
  obtain,
  openRole,
  ownAuthority,
  ownMount,
  pemBlocks,
  readBySerial,
  rootWanted,
  sameText,
  twoMounts,
  WAYS,
  withoutRoot,
  withRoot,
} from './fixtures.ts'
import { signedBelow } from './intermediates/below.ts'

check(
  'pki/signed-after-refusals',
  'PKI-SIGNED-01',
  'the right certificate is taken after wrong ones were refused',
  { needs: twoMounts },
  async ({ bench, expect }) => {
    const { root, signed } = await signedBelow(bench)
    const stranger = await ownCertificate({ commonName: bench.fresh('stranger'), ca: true })
    for (const certificate of ['no certificate', stranger.certificate]) {
      const { ok } = await bench.call('pki.setSigned', { body: { certificate }, mount: 'below', invalid: true })
      // That a certificate of another key is refused is advised.
      if (ok) return bench.observe('PKI-SIGNED-01', 'a certificate of another key was taken')
    }
    const body = { certificate: `${signed}\n${root}` }
    const written = await bench.call('pki.setSigned', { body, mount: 'below' })
    // Of a request that no other came before, in the same mounts, recreated: where it is refused too, refusals are not why.
    if (!written.ok) {
      const again = await signedBelow(bench)
      await bench.given('pki.setSigned', { body: { certificate: `${again.signed}\n${again.root}` }, mount: 'below' })
    }
    expect(written, 'after two refused ones').toSucceed()
    expect(sameText((await bench.call('pki.readCaPem', { mount: 'below' })).text)).toBe(sameText(signed))
  },
)

check(
  'pki/root-after-refusals',
  'PKI-ROOT-01',
  'a root is made after bad requests for one were refused',
  { needs: { ...ownAuthority, features: ['mounts'] } },
  async ({ bench, expect }) => {
    await withoutRoot(bench)
    for (const body of [{ key_type: 'no-such-type' }, { key_bits: 7 }, { ttl: 'soon' }] as JsonObject[])
      await bench.call('pki.generateRoot', { ...rootWanted(bench, body), invalid: true })
    await withoutRoot(bench)
    const made = await bench.call('pki.generateRoot', rootWanted(bench))
    if (!made.ok) await bench.given('pki.generateRoot', { ...rootWanted(bench), mount: await bench.mount('pki') })
    expect(made, 'after three refused ones').toSucceed()
    expect(sameText((await bench.call('pki.readCaPem')).text)).toBe(sameText(made.data.certificate))
  },
)

check(
  'pki/deleted-twice',
  'PKI-DELETE-02',
  'the certificate of a deleted root is still there after a second deletion',
  { needs: { ...ownAuthority, features: ['mounts'] } },
  async ({ bench, expect }) => {
    await withoutRoot(bench)
    const { data } = await bench.given('pki.generateRoot', rootWanted(bench))
    await bench.given('pki.deleteRoot')
    await bench.call('pki.deleteRoot')
    const routes = [
      (await bench.call('pki.readCaPem')).text,
      (await bench.call('pki.readCaChain')).text,
      String((await readBySerial(bench, String(data.serial_number))).data.certificate ?? ''),
    ]
    expect(routes.flatMap(pemBlocks).map(sameText)).toContain(sameText(data.certificate))
  },
)

check(
  'pki/certificates-outlive-roles',
  ['PKI-ROLE-06', 'PKI-REVOKE-01'],
  'what a role issued or signed is read, and revoked, after the role was deleted',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    await withRoot(bench)
    const [name, other] = [await openRole(bench), await openRole(bench)]
    for (const way of WAYS) {
      const made = [await obtain(context, way, name), await obtain(context, way, other)]
      await bench.given('pki.deleteRole', { path: { name } })
      for (const { answer, certificate } of made) {
        const serial = String(answer.data.serial_number)
        const read = await readBySerial(bench, serial)
        await bench.decide('PKI-ROLE-06', () => expect(sameText(read.data.certificate), `of ${way}`).toBe(sameText(certificate)))
        const revoked = await bench.call('pki.revoke', { body: { serial_number: serial } })
        await bench.decide('PKI-REVOKE-01', () => {
          expect(revoked, `of ${way}`).toSucceed()
          expect(Number.isInteger(revoked.data.revocation_time)).toBe(true)
        })
      }
      await bench.given('pki.writeRole', { path: { name }, body: { allow_any_name: true, ttl: '1h', key_type: 'ec', key_bits: 256 } })
    }
  },
)

check(
  'pki/serial-whole',
  'PKI-CERT-05',
  'a part of a serial number, or more than all of it, gives no certificate',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    await withRoot(bench)
    const { answer } = await obtain(context, 'sign', await openRole(bench))
    const pairs = String(answer.data.serial_number).split(/[:-]/)
    // A short serial number, cut or continued a little, may be that of another certificate.
    const near = [pairs.slice(0, -1), pairs.slice(1), [...pairs, '01'], pairs.slice(0, 4)]
    const parts = [...near.filter(({ length }) => length >= 4 && length !== pairs.length), [...pairs, ...'0123456789abcdef'.match(/../g)!]]
    for (const separator of [':', '-'])
      for (const part of parts) {
        const serial = part.join(separator)
        const read = await bench.call('pki.readCertificate', { path: { serial } })
        expect(read, `${part.length} of ${pairs.length} bytes`).toBeRefused()
        expect(read.text).not.toContain('BEGIN CERTIFICATE')
      }
  },
)
