/** Keys of generated roots. */
import { check, judgeCertificate } from '../../../harness/checks/index.ts'
import { caAsServed, emptyMounts, generateRoot, ownAuthority, quickKey, rootWanted, withoutRoot } from '../fixtures.ts'

check(
  'pki/root-default-key',
  ['PKI-ROOT-08', 'PKI-ROOT-10'],
  'a root has an RSA key of 2048 bits by default',
  { needs: ownAuthority },
  async ({ bench, expect }) => {
    await withoutRoot(bench)
    const answer = await bench.call('pki.generateRoot', { path: { type: 'internal' }, body: { common_name: bench.fresh('root') } })
    const facts = answer.ok ? await judgeCertificate(bench, String(answer.data.certificate)) : undefined
    await bench.decide('PKI-ROOT-08', () => expect(facts?.key.type).toBe('rsa'))
    await bench.decide('PKI-ROOT-10', () => expect(facts?.key.bits).toBe(2048))
  },
)

check('pki/root-ec-keys', ['PKI-ROOT-09', 'PKI-ROOT-11'], 'EC roots have the size asked for', { needs: emptyMounts }, async (context) => {
  const { bench, expect } = context
  const keys: { type: string; bits: number }[] = []
  for (const bits of [224, 256, 521]) {
    const mount = await bench.mount('pki', { exclusive: true })
    const answer = await bench.call('pki.generateRoot', { ...rootWanted(bench, { key_type: 'ec', key_bits: bits }), mount })
    const facts = answer.ok ? await judgeCertificate(bench, String(answer.data.certificate)) : undefined
    keys.push(facts?.key ?? { type: `status ${answer.status}`, bits: 0 })
  }
  await bench.decide('PKI-ROOT-09', () => expect(keys.map(({ type }) => type)).toEqual(['ec', 'ec', 'ec']))
  await bench.decide('PKI-ROOT-11', () => expect(keys.map(({ bits }) => bits)).toEqual([224, 256, 521]))
})

check('pki/root-rsa-key', 'PKI-ROOT-11', 'an RSA root has the size asked for', { needs: ownAuthority }, async (context) => {
  const { facts } = await generateRoot(context, { key_type: 'rsa', key_bits: 3072 })
  context.expect(facts.key).toEqual({ type: 'rsa', bits: 3072 })
})

const refusals: [string, string, string, object][] = [
  ['pki/root-key-type', 'PKI-ROOT-12', 'another key type is refused', { key_type: 'dsa', key_bits: 2048 }],
  ['pki/root-key-bits', 'PKI-ROOT-13', 'a size that no EC key has is refused', { key_type: 'ec', key_bits: 123 }],
]
for (const [id, clause, title, fields] of refusals) {
  check(id, clause, title, { needs: ownAuthority }, async ({ bench }) => {
    await withoutRoot(bench)
    const body = { common_name: bench.fresh('root') }
    await bench.refuses('pki.generateRoot', {
      bad: { path: { type: 'internal' }, body: { ...body, ...fields } },
      control: { path: { type: 'internal' }, body: { ...body, ...quickKey } },
      unchanged: caAsServed(bench),
    })
  })
}
