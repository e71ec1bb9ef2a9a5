/** A CA supplied from outside, as key and certificate in one bundle. */
import { asTraditional, check, judgeCertificate, ownCertificate, pathProblem, strayKey } from '../../../harness/checks/index.ts'
import { ask, caAsServed, expectOwnCa, issue, openRole, ownAuthority, pemBlocks, sameText, withRoot } from '../fixtures.ts'

const ownRoot = (name: string) => ownCertificate({ commonName: name, ca: true, hours: 24 * 30 })
const bundleOf = (...parts: string[]): { body: { pem_bundle: string } } => ({ body: { pem_bundle: parts.join('\n') } })

check('pki/config-ca', ['PKI-CONFIG-01', 'PKI-CONFIG-10'], 'a supplied pair becomes the CA', { needs: ownAuthority }, async (context) => {
  const { bench, expect } = context
  const own = await ownRoot(bench.fresh('ca'))
  bench.secret(own.privateKey)
  const written = await bench.call('pki.writeCa', bundleOf(own.privateKey, own.certificate))
  let served = ''
  let made: Awaited<ReturnType<typeof issue>> | undefined
  await bench.decide('PKI-CONFIG-01', async () => {
    expect(written).toSucceed()
    served = (await bench.call('pki.readCaPem')).text
    expect(sameText(served)).toBe(sameText(own.certificate))
    made = await issue(context, await openRole(bench))
    expect(await pathProblem(bench, made.certificate, [own.certificate])).toBe(undefined)
  })
  await bench.decide('PKI-CONFIG-10', async () => {
    const secret = sameText(own.privateKey).slice(40, 160)
    const answers = [written.text, served, (await bench.call('pki.readCaChain')).text, made?.answer.text ?? '']
    for (const text of answers) expect(sameText(text.replaceAll('\\n', ''))).not.toContain(secret)
  })
})

check(
  'pki/config-ca-replaces',
  ['PKI-CONFIG-02', 'PKI-CHAIN-01', 'PKI-CA-05'],
  'a bundle replaces the CA, also one that is in use',
  { needs: ownAuthority },
  async (context) => {
    const { bench, expect } = context
    await withRoot(bench)
    const role = await openRole(bench)
    const chain = async () => pemBlocks((await bench.call('pki.readCaChain')).text).map(sameText)
    const asDer = async () => Buffer.from((await bench.call('pki.readCa')).bytes).toString('base64')
    for (let count = 0; count < 3; count += 1) {
      const former = [sameText((await bench.call('pki.readCaPem')).text), ...(await chain()), await asDer()]
      for (const _ of ['first', 'second']) await issue(context, role)
      const own = await ownRoot(bench.fresh('ca'))
      // Both forms of a key are PEM, and an engine exports keys in either.
      const privateKey = count === 1 ? asTraditional(own.privateKey) : own.privateKey
      const written = bench.needing('replaceCa', await bench.call('pki.writeCa', bundleOf(privateKey, own.certificate)))
      await bench.decide('PKI-CONFIG-02', async () => {
        expect(written).toSucceed()
        expect(sameText((await bench.call('pki.readCaPem')).text)).toBe(sameText(own.certificate))
        expect(await pathProblem(bench, (await issue(context, role)).certificate, [own.certificate])).toBe(undefined)
      })
      // A CA that is not replaced does not fault the chain.
      const shown = sameText((await bench.call('pki.readCaPem')).text)
      await bench.decide('PKI-CA-05', async () => expect(shown.includes(await asDer()), 'the DER form in the PEM form').toBe(true))
      await bench.decide('PKI-CHAIN-01', async () => {
        expect(await chain(), 'the chain after another CA').toContain(shown)
        expect(former).not.toContain(sameText(own.certificate))
      })
    }
  },
)

check(
  'pki/config-ca-appended',
  ['PKI-CONFIG-03', 'PKI-CHAIN-03', 'PKI-CA-05', 'PKI-ISSUE-02', 'PKI-ISSUE-15', 'PKI-SIGN-02'],
  'further CA certificates may follow in the bundle, and none of them is taken for the CA',
  { needs: ownAuthority },
  async (context) => {
    const { bench, expect } = context
    const root = await ownRoot(bench.fresh('root'))
    const between = await ownCertificate({ commonName: bench.fresh('between'), ca: true, issuer: root, hours: 24 * 30 })
    const below = await ownCertificate({ commonName: bench.fresh('below'), ca: true, issuer: between, hours: 24 * 30 })
    const above = [between.certificate, root.certificate]
    const written = await bench.call('pki.writeCa', bundleOf(below.privateKey, below.certificate, ...above))
    await bench.decide('PKI-CONFIG-03', async () => {
      expect(written).toSucceed()
      const made = await issue(context, await openRole(bench))
      expect(await pathProblem(bench, made.certificate, [below.certificate, ...above])).toBe(undefined)
    })
    await bench.decide('PKI-CHAIN-03', async () => {
      const chain = pemBlocks((await bench.call('pki.readCaChain')).text).map(sameText)
      for (const one of [below.certificate, ...above]) expect(chain).toContain(sameText(one))
    })
    await bench.decide('PKI-CA-05', () => expectOwnCa(bench, expect, below.certificate))
    const role = await openRole(bench)
    const inOrder = [below.certificate, ...above].map(sameText)
    for (const [way, clause] of [
      ['issue', 'PKI-ISSUE-02'],
      ['sign', 'PKI-SIGN-02'],
    ] as const) {
      const { data } = await ask(bench, way, role)
      await bench.decide(clause, () => expect(sameText(data.issuing_ca), `issuing_ca, ${way}`).toBe(sameText(below.certificate)))
      const listed = (Array.isArray(data.ca_chain) ? data.ca_chain : []).flatMap((entry) => pemBlocks(String(entry))).map(sameText)
      await bench.decide('PKI-ISSUE-15', () => expect(listed, `ca_chain, ${way}`).toEqual(inOrder.filter((one) => listed.includes(one))))
    }
    const alone = await ownRoot(bench.fresh('alone'))
    await bench.given('pki.writeCa', bundleOf(alone.privateKey, alone.certificate))
    // A CA that is not replaced does not fault the chain.
    if (sameText((await bench.call('pki.readCaPem')).text) !== sameText(alone.certificate)) return
    await bench.decide('PKI-CHAIN-03', async () => {
      const chain = pemBlocks((await bench.call('pki.readCaChain')).text).map(sameText)
      expect(
        chain.filter((one) => above.some((former) => sameText(former) === one)),
        'what was supplied along with a former CA',
      ).toEqual([])
    })
  },
)

check('pki/config-ca-missing', 'PKI-CONFIG-04', 'a bundle is required, as a string', { needs: ownAuthority }, async ({ bench, expect }) => {
  await withRoot(bench)
  const own = await ownRoot(bench.fresh('ca'))
  const before = await caAsServed(bench)()
  expect(await bench.call('pki.writeCa', { body: {}, invalid: true })).toBeRefused()
  expect(await caAsServed(bench)()).toEqual(before)
  const good = bundleOf(own.privateKey, own.certificate)
  await bench.refuses('pki.writeCa', {
    bad: { body: { pem_bundle: { pem: own.certificate } } },
    control: good,
    unchanged: caAsServed(bench),
  })
})

const broken: Record<string, (own: { certificate: string; privateKey: string }) => string> = {
  text: () => 'this is not PEM',
  base64: ({ privateKey }) => `${privateKey}\n-----BEGIN CERTIFICATE-----\nMIIB%%%%\n-----END CERTIFICATE-----`,
  cut: ({ certificate, privateKey }) => `${privateKey}\n${certificate.slice(0, certificate.length / 2)}`,
  shortened: ({ certificate, privateKey }) => `${privateKey}\n${certificate.replace(/\n[^\n]{64}\n/, '\n')}`,
}

check('pki/config-ca-broken', 'PKI-CONFIG-05', 'broken PEM is refused and the CA stays', { needs: ownAuthority }, async (context) => {
  const { bench, expect } = context
  const ca = await withRoot(bench)
  const role = await openRole(bench)
  const own = await ownRoot(bench.fresh('ca'))
  for (const [name, make] of Object.entries(broken)) {
    if (name === 'shortened') continue
    const before = await caAsServed(bench)()
    expect(await bench.call('pki.writeCa', { ...bundleOf(make(own)), invalid: true }), name).toBeRefused()
    expect(await caAsServed(bench)(), name).toEqual(before)
    expect(await pathProblem(bench, (await issue(context, role)).certificate, [ca]), `${name}: what is issued then`).toBe(undefined)
  }
  const good = bundleOf(own.privateKey, own.certificate)
  await bench.refuses('pki.writeCa', { bad: bundleOf(broken.shortened!(own)), control: good, unchanged: caAsServed(bench) })
})

check(
  'pki/config-ca-wrong-key',
  'PKI-CONFIG-06',
  'a key of another pair is refused and the CA stays',
  { needs: ownAuthority },
  async (context) => {
    const { bench, expect } = context
    const ca = await withRoot(bench)
    const role = await openRole(bench)
    const own = await ownRoot(bench.fresh('ca'))
    expect(await bench.call('pki.writeCa', bundleOf(strayKey(), own.certificate))).toBeRefused()
    // The CA is a certificate and a key: neither of the two is another one.
    expect(await pathProblem(bench, (await issue(context, role)).certificate, [ca]), 'what is issued then').toBe(undefined)
    await bench.refuses('pki.writeCa', {
      bad: bundleOf(strayKey(), own.certificate),
      control: bundleOf(own.privateKey, own.certificate),
      unchanged: caAsServed(bench),
    })
  },
)

check(
  'pki/config-ca-no-key',
  'PKI-CONFIG-07',
  'one half of a pair is refused and the CA stays',
  { needs: ownAuthority },
  async (context) => {
    const { bench, expect } = context
    const role = await openRole(bench)
    for (const half of ['privateKey', 'certificate'] as const) {
      const ca = await withRoot(bench)
      const own = await ownRoot(bench.fresh('ca'))
      expect(await bench.call('pki.writeCa', bundleOf(own[half])), half).toBeRefused()
      // The CA is a certificate and a key: neither of the two is another one.
      expect(await pathProblem(bench, (await issue(context, role)).certificate, [ca]), `what is issued after a ${half} alone`).toBe(
        undefined,
      )
      await bench.refuses('pki.writeCa', {
        bad: bundleOf(own[half]),
        control: bundleOf(own.privateKey, own.certificate),
        unchanged: caAsServed(bench),
      })
    }
  },
)

check('pki/config-ca-no-ca', 'PKI-CONFIG-08', 'a certificate that is not a CA is refused', { needs: ownAuthority }, async ({ bench }) => {
  await withRoot(bench)
  const leaf = await ownCertificate({ commonName: bench.fresh('leaf') })
  const own = await ownRoot(bench.fresh('ca'))
  await bench.refuses('pki.writeCa', {
    bad: bundleOf(leaf.privateKey, leaf.certificate),
    control: bundleOf(own.privateKey, own.certificate),
    unchanged: caAsServed(bench),
  })
})

check('pki/config-ca-answer', 'PKI-CONFIG-09', 'answer to a supplied CA', { needs: ownAuthority }, async ({ bench }) => {
  const own = await ownRoot(bench.fresh('ca'))
  await judgeCertificate(bench, own.certificate)
  const reversed = await bench.call('pki.writeCa', { ...bundleOf(own.certificate, own.privateKey), observing: true })
  bench.observe('PKI-CONFIG-09', { certificateFirst: reversed.status, members: Object.keys(reversed.data).join(' ') })
})
