/** The forms in which certificates and keys are answered. */
import { isDeepStrictEqual } from 'node:util'
import { certificateRequest, check, judgeCertificate, privateKeyForm, publicKeyOf } from '../../../harness/checks/index.ts'
import {
  ask,
  asked,
  denied,
  issue,
  newRole,
  openRole,
  ownAuthority,
  ownMount,
  pemBlocks,
  sameText,
  WAYS,
  withIntermediate,
  withRoot,
} from '../fixtures.ts'

const cn = { common_name: 'www.example.com' }
const labels = (text: unknown): string[] => pemBlocks(String(text)).map((block) => /BEGIN ([^-]+)-/.exec(block)![1]!)
/** Base64, without line ends. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const asPem = (base64: unknown): string =>
  `-----BEGIN CERTIFICATE-----\n${String(base64)
    .match(/.{1,64}/g)!
    .join('\n')}\n-----END CERTIFICATE-----`

check('pki/format-pem', ['PKI-FORMAT-01', 'PKI-FORMAT-02'], 'certificates and keys are PEM', { needs: ownMount }, async (context) => {
  const { bench, expect } = context
  await withRoot(bench)
  const role = await openRole(bench)
  for (const way of WAYS) {
    for (const [clause, fields] of [
      ['PKI-FORMAT-01', {}],
      ['PKI-FORMAT-02', { format: 'pem' }],
    ] as const) {
      const { data } = await bench.given(`pki.${way}`, await asked(way, role, fields))
      await bench.decide(clause, () => {
        expect(labels(data.certificate), way).toEqual(['CERTIFICATE'])
        expect(labels(data.issuing_ca), way).toEqual(['CERTIFICATE'])
        if (way === 'issue') expect(labels(data.private_key).at(-1)).toMatch(/PRIVATE KEY$/)
      })
    }
  }
})

check('pki/format-der', ['PKI-FORMAT-03', 'PKI-FORMAT-08'], 'der gives base64 of DER', { needs: ownMount }, async ({ bench, expect }) => {
  const ca = await withRoot(bench)
  const role = await openRole(bench)
  for (const way of WAYS) {
    const answer = await ask(bench, way, role, { format: 'der' })
    let key: string | undefined
    await bench.decide('PKI-FORMAT-03', async () => {
      expect(answer).toSucceed()
      expect(sameText(answer.data.certificate), way).toMatch(BASE64)
      const facts = await judgeCertificate(bench, asPem(answer.data.certificate))
      expect(facts.subject.CN, way).toEqual([cn.common_name])
      // In PEM or in DER, the certificate of the CA is in it, and the key is that of the certificate.
      expect(sameText(ca), way).toContain(sameText(answer.data.issuing_ca))
      key = facts.publicKey
      if (way === 'issue') expect(publicKeyOf(String(answer.data.private_key))).toBe(key)
    })
    await bench.decide('PKI-FORMAT-08', () => {
      for (const member of way === 'issue' ? ['issuing_ca', 'private_key'] : ['issuing_ca'])
        expect(sameText(answer.data[member]), `${member}, ${way}`).toMatch(BASE64)
    })
  }
})

/** Certificates of a bundle other than the issuing CA. */
const leaves = (bundle: unknown, ca: string): string[] =>
  pemBlocks(String(bundle)).filter((block) => block.includes('BEGIN CERTIFICATE') && sameText(block) !== sameText(pemBlocks(ca)[0]))

check(
  'pki/format-bundle',
  ['PKI-FORMAT-04', 'PKI-FORMAT-07'],
  'pem_bundle holds certificate and key',
  { needs: ownMount },
  async ({ bench, expect }) => {
    const ca = await withRoot(bench)
    const roles = [await openRole(bench), await openRole(bench, { key_type: 'rsa', key_bits: 2048 })]
    let blocks: string[] = []
    for (const role of roles)
      for (const private_key_format of ['', 'der', 'pkcs8']) {
        const answer = await ask(bench, 'issue', role, { format: 'pem_bundle', private_key_format })
        blocks = pemBlocks(String(answer.data.certificate)).map(sameText)
        await bench.decide('PKI-FORMAT-04', async () => {
          expect(answer).toSucceed()
          // The key, in whichever form: that it is the form of the member beside it is not said.
          const keys = pemBlocks(String(answer.data.certificate))
            .filter((block) => block.includes('PRIVATE KEY-----'))
            .map(publicKeyOf)
          expect(keys, 'keys in the bundle').toEqual([publicKeyOf(String(answer.data.private_key))])
          const [leaf] = leaves(answer.data.certificate, ca)
          expect(leaf).toBeDefined()
          expect((await judgeCertificate(bench, leaf!)).publicKey).toBe(publicKeyOf(String(answer.data.private_key)))
        })
      }
    const { issuer, subject } = await judgeCertificate(bench, ca)
    const selfIssued = isDeepStrictEqual(issuer, subject)
    bench.observe('PKI-FORMAT-07', { selfIssued, holdsIt: blocks.includes(sameText(pemBlocks(ca)[0])) })
  },
)

check(
  'pki/format-bundle-issuer',
  'PKI-FORMAT-06',
  'pem_bundle holds an issuing CA other than a root',
  { needs: ownAuthority },
  async ({ bench, expect }) => {
    const { certificate } = await withIntermediate(bench)
    const role = await openRole(bench)
    for (const way of WAYS) {
      const answer = await ask(bench, way, role, { format: 'pem_bundle' })
      expect(answer).toSucceed()
      expect(leaves(answer.data.certificate, certificate).length, way).toBeGreaterThan(0)
      expect(pemBlocks(String(answer.data.certificate)).map(sameText), way).toContain(sameText(certificate))
    }
  },
)

check('pki/format-unknown', 'PKI-FORMAT-05', 'another format is refused', { needs: ownMount }, async ({ bench }) => {
  await withRoot(bench)
  const role = await openRole(bench)
  for (const way of WAYS) for (const format of ['p12', 'txt']) await denied(bench, role, { format }, { format: 'pem' }, way)
})

check(
  'pki/key-forms',
  ['PKI-KEYFORMAT-01', 'PKI-KEYFORMAT-02', 'PKI-KEYFORMAT-04', 'PKI-KEYFORMAT-05'],
  'keys have the form of their type, or PKCS#8',
  { needs: ownMount },
  async ({ bench, expect }) => {
    await withRoot(bench)
    const roles = {
      sec1: await newRole(bench, { allow_any_name: true }),
      pkcs1: await openRole(bench, { key_type: 'rsa', key_bits: 2048 }),
    }
    const keyOf = async (role: string, fields: object) => {
      const { data } = await bench.given('pki.issue', { path: { name: role }, body: { ...cn, ...fields } })
      return String(data.private_key)
    }
    for (const role of [roles.sec1, roles.pkcs1]) {
      const forms: unknown[] = []
      await bench.decide('PKI-KEYFORMAT-01', async () => {
        for (const form of [{}, { private_key_format: '' }, { private_key_format: 'der' }]) {
          const [label] = labels(await keyOf(role, form)).slice(-1)
          expect(label, 'a key in PEM').toMatch(/PRIVATE KEY$/)
          const text = await keyOf(role, { ...form, format: 'der' })
          // PKI-FORMAT-08 has that it is in DER.
          const bytes = Buffer.from(text.includes('-----') ? sameText(text.replace(/-----[^-]+-----/g, '')) : text, 'base64')
          expect(bytes[0], 'a key in DER begins as a sequence').toBe(0x30)
          forms.push([label, privateKeyForm(bytes)])
        }
        expect(forms, 'forms of a key by default, and with der').toEqual(forms.map(() => forms[0]))
      })
      await bench.decide('PKI-KEYFORMAT-05', () => {
        for (const form of ['PRIVATE KEY', 'pkcs8']) expect(forms.flat(), 'labels and forms').not.toContain(form)
      })
    }
    await bench.decide('PKI-KEYFORMAT-02', async () => {
      expect(labels(await keyOf(roles.sec1, { private_key_format: 'pkcs8' }))).toEqual(['PRIVATE KEY'])
      expect(labels(await keyOf(roles.pkcs1, { private_key_format: 'pkcs8' }))).toEqual(['PRIVATE KEY'])
    })
    await bench.decide('PKI-KEYFORMAT-04', async () => {
      expect(privateKeyForm(Buffer.from(await keyOf(roles.sec1, { format: 'der', private_key_format: 'pkcs8' }), 'base64'))).toBe('pkcs8')
      const { data } = await bench.given('pki.issue', {
        path: { name: roles.sec1 },
        body: { ...cn, format: 'pem_bundle', private_key_format: 'pkcs8' },
      })
      const keys = labels(data.certificate).filter((label) => label.endsWith('KEY'))
      expect(keys, 'keys in a bundle').toEqual(['PRIVATE KEY'])
    })
  },
)

check('pki/key-form-unknown', 'PKI-KEYFORMAT-03', 'another key format is refused', { needs: ownMount }, async ({ bench }) => {
  await withRoot(bench)
  const role = await openRole(bench)
  for (const form of ['pkcs12', 'jwk'])
    await denied(bench, role, { ...cn, private_key_format: form }, { ...cn, private_key_format: 'pkcs8' })
})

check(
  'pki/sign-formats',
  ['PKI-SIGN-11'],
  'no format of a signed request holds a private key',
  { kind: 'security', needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    await withRoot(bench)
    const role = await openRole(bench)
    await issue(context, role)
    const csr = await certificateRequest({ commonName: 'www.example.com' })
    await bench.decide('PKI-SIGN-11', async () => {
      for (const format of ['pem', 'der', 'pem_bundle']) {
        const answer = await bench.call('pki.sign', { path: { name: role }, body: { csr, format } })
        expect(answer).toSucceed()
        expect(answer.data.private_key ?? '').toBe('')
        expect(answer.text).not.toContain('PRIVATE KEY')
      }
    })
  },
)
