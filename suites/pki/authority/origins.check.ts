/** Wherever the CA of a mount comes from: roles older than it issue, no root takes its place, and with its key gone there is room for another. */
import {
  type Answer,
  type Bench,
  type CheckContext,
  check,
  type JsonObject,
  judgeCertificate,
  type KeyKind,
  ownCertificate,
  pathProblem,
} from '../../../harness/checks/index.ts'
import {
  asked,
  caAsServed,
  emptyMounts,
  issuesNothing,
  newRole,
  pemBlocks,
  quickKey,
  readBySerial,
  rootWanted,
  sameText,
  WAYS,
  type Way,
} from '../fixtures.ts'

/** Makes the CA of a mount; answers it and what stands above it, or nothing where the target does not offer the way. */
type Make = (context: CheckContext, mount: string) => Promise<string[] | undefined>

const generated =
  (type: string, key: JsonObject = {}): Make =>
  async ({ bench }, mount) => {
    const { data } = await bench.given('pki.generateRoot', { ...rootWanted(bench, key), path: { type }, mount })
    return [String(data.certificate)]
  }

const ownBundle = async (bench: Bench, key: KeyKind): Promise<{ certificate: string; body: { pem_bundle: string } }> => {
  const { privateKey, certificate } = await ownCertificate({ commonName: bench.fresh('ca'), ca: true, hours: 24 * 30, key })
  bench.secret(privateKey)
  return { certificate, body: { pem_bundle: `${privateKey}\n${certificate}` } }
}

const suppliedWith =
  (key: KeyKind): Make =>
  async ({ bench }, mount) => {
    const { certificate, body } = await ownBundle(bench, key)
    await bench.given('pki.writeCa', { body, mount })
    return [certificate]
  }
const supplied = suppliedWith('ec256')

const REPLACES = 'PKI-CONFIG-02'

/** Where the target goes on with the CA that was there, nothing more can be said of the supplied one. */
const replacing =
  (first: Make): Make =>
  async (context, mount) => {
    const { bench, expect } = context
    await first(context, mount)
    const { certificate, body } = await ownBundle(bench, 'ec256')
    const written = bench.needing('replaceCa', await bench.call('pki.writeCa', { body, mount }))
    const served = sameText((await bench.call('pki.readCaPem', { mount })).text)
    await bench.decide(REPLACES, () => {
      expect(written, 'another CA').toSucceed()
      expect(served, 'the CA that is served').toBe(sameText(certificate))
    })
    if (served !== sameText(certificate)) bench.blocked('the CA of before is still served', `see ${REPLACES} first`)
    return [certificate]
  }

const suppliedBelow: Make = async ({ bench }, mount) => {
  const root = await ownCertificate({ commonName: bench.fresh('root'), ca: true, hours: 24 * 30 })
  const own = await ownCertificate({ commonName: bench.fresh('ca'), ca: true, issuer: root, hours: 24 * 30 })
  bench.secret(own.privateKey)
  await bench.given('pki.writeCa', { body: { pem_bundle: [own.privateKey, own.certificate, root.certificate].join('\n') }, mount })
  return [own.certificate, root.certificate]
}

const signedBelow: Make = async (context, mount) => {
  const { bench } = context
  const above = await bench.mount('pki', { exclusive: true })
  const [root] = (await generated('internal')(context, above))!
  const body = { common_name: bench.fresh('below'), ...quickKey }
  const { ok, data } = await bench.call('pki.generateIntermediate', { path: { type: 'internal' }, body, mount })
  // Neither its path nor what it answers is part of the contract.
  if (!ok || typeof data.csr !== 'string') return undefined
  const signing = { csr: data.csr, common_name: body.common_name, ttl: '240h' }
  const signed = String((await bench.given('pki.signIntermediate', { body: signing, mount: above, invalid: true })).data.certificate)
  await bench.given('pki.setSigned', { body: { certificate: `${signed}\n${root}` }, mount })
  return [signed, root!]
}

/** Several, the last one is the CA. */
const after =
  (first: Make, second: Make): Make =>
  async (context, mount) => {
    await first(context, mount)
    return second(context, mount)
  }

const deleted =
  (make: Make): Make =>
  async (context, mount) => {
    const chain = await make(context, mount)
    await context.bench.given('pki.deleteRoot', { mount })
    return chain
  }

const ORIGINS: Record<string, Make> = {
  // Without a key of its own choice a root has an RSA key.
  'an internal root': generated('internal', { key_type: 'rsa', key_bits: 2048 }),
  'an exported root': generated('exported'),
  'a supplied CA': suppliedWith('rsa2048'),
  'a supplied CA below a root': suppliedBelow,
  'a CA supplied instead of a root': replacing(generated('internal')),
  'a CA supplied after a root was deleted': after(deleted(generated('internal')), supplied),
  'a root after a supplied CA was deleted': after(deleted(supplied), generated('internal')),
  'a root after an exported one was deleted': after(deleted(generated('exported')), generated('internal')),
  'a signed intermediate': signedBelow,
  'a CA supplied instead of a signed intermediate': replacing(signedBelow),
}

const VERIFIES: Record<Way, string> = { issue: 'PKI-ISSUE-07', sign: 'PKI-SIGN-12' }

for (const [at, [what, make]] of Object.entries(ORIGINS).entries())
  check(
    `pki/origin-${at + 1}`,
    [
      ...(what.startsWith('a CA supplied instead of') ? [REPLACES] : []),
      ...['PKI-ISSUE-07', 'PKI-SIGN-12', 'PKI-ROOT-06', 'PKI-DELETE-01', 'PKI-DELETE-02', 'PKI-DELETE-04', 'PKI-ISSUE-21'],
    ],
    `${what}: older roles issue by it, no root replaces it, and its key can be deleted`,
    { needs: emptyMounts },
    async (context) => {
      const { bench, expect } = context
      const mount = 'pki'
      const where = { mount }
      const older = await newRole(bench, { allow_any_name: true }, mount)
      const chain =
        (await make(context, mount)) ??
        bench.blocked('the target makes no intermediate key at the path of its family', 'map pki.generateIntermediate in a dialect')
      const by = async (way: Way): Promise<Answer> => bench.call(`pki.${way}`, { ...(await asked(way, older)), mount })
      const verifies = async (way: Way, under: string[], when: string): Promise<void> => {
        const answer = await by(way)
        expect(answer, `${way} ${when}`).toSucceed()
        expect(await pathProblem(bench, String(answer.data.certificate), under), `${way} ${when}`).toBe(undefined)
      }
      for (const way of WAYS) await bench.decide(VERIFIES[way], () => verifies(way, chain, `by a role older than ${what}`))
      const before = await caAsServed(bench, where)()
      for (const type of ['internal', 'exported']) {
        const answer = await bench.call('pki.generateRoot', { ...rootWanted(bench), path: { type }, mount })
        await bench.decide('PKI-ROOT-06', async () => {
          if (answer.ok) expect(['certificate', 'private_key'].filter((field) => (answer.data[field] ?? '') !== '')).toEqual([])
          else expect(answer, `a root of type ${type} over ${what}`).toBeRefused()
          expect(await caAsServed(bench, where)(), `the CA after a root of type ${type} was asked for`).toEqual(before)
          await verifies('issue', chain, `after a root of type ${type} was asked for`)
        })
      }
      const gone = await bench.call('pki.deleteRoot', where)
      await bench.decide('PKI-DELETE-01', () => expect(gone, `deletion of ${what}`).toSucceed())
      for (const way of WAYS) await issuesNothing(context, 'PKI-DELETE-01', `${way} once the key of ${what} is deleted`, await by(way))
      await bench.decide('PKI-DELETE-02', async () => {
        const { serial } = await judgeCertificate(bench, chain[0]!)
        const colons = (serial.padStart(serial.length + (serial.length % 2), '0').match(/../g) ?? []).join(':')
        const shown = [
          (await bench.call('pki.readCaPem', where)).text,
          (await bench.call('pki.readCaChain', where)).text,
          String((await readBySerial(bench, colons, where)).data.certificate ?? ''),
        ]
        expect(shown.flatMap(pemBlocks).map(sameText), 'what is still read').toContain(sameText(chain[0]))
      })
      const again = await bench.call('pki.generateRoot', { ...rootWanted(bench), mount })
      await bench.decide('PKI-DELETE-04', async () => {
        expect(again, `a root after the deletion of ${what}`).toSucceed()
        expect(sameText((await bench.call('pki.readCaPem', where)).text)).toBe(sameText(again.data.certificate))
        for (const way of WAYS) await verifies(way, [String(again.data.certificate)], `by the root after ${what}`)
      })
    },
  )
