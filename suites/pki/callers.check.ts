/** Of two callers who may do everything each gets what the other gets, and sees what the other did, by either header. */
import {
  type Answer,
  anotherCaller,
  type Bench,
  type CallInput,
  type CheckContext,
  certificateRequest,
  check,
  type JsonObject,
  judgeCertificate,
  ownCertificate,
  pathProblem,
  publicKeyOf,
} from '../../harness/checks/index.ts'
import {
  asked,
  newRole,
  ownAuthority,
  plainSerial,
  quickKey,
  readBySerial,
  rootWanted,
  sameText,
  WAYS,
  type Way,
  withoutRoot,
  withRoot,
} from './fixtures.ts'

const needs = { ...ownAuthority, features: ['identities' as const] }

const OPERATIONS = [
  ...['pki.generateRoot', 'pki.deleteRoot', 'pki.writeCa', 'pki.issue', 'pki.sign', 'pki.signIntermediate', 'pki.revoke'],
  'pki.signSelfIssued',
  ...['pki.writeRole', 'pki.readRole', 'pki.deleteRole', 'pki.listRoles', 'pki.listCertificates', 'pki.readCertificate'],
]

type Who = [what: string, caller: CallInput]

/** Those who take turns. */
const callers = async (bench: Bench): Promise<Who[]> => {
  const as = await anotherCaller(bench, OPERATIONS)
  if (as === undefined) return bench.blocked('the target makes no tokens', 'use another provisioner (sys, command)')
  return [
    ['root', {}],
    ['another caller', { as }],
    ['root as a bearer', { carrier: 'bearer' }],
    ['another caller as a bearer', { as, carrier: 'bearer' }],
  ]
}

const by = async (bench: Bench, caller: CallInput, way: Way, role: string): Promise<Answer> =>
  bench.call(`pki.${way}`, { ...(await asked(way, role)), ...caller })

/** Forms of a key and of what may hold one. */
const FORMS: JsonObject[] = [{}, { format: 'der' }, { format: 'pem_bundle' }, { format: 'pem_bundle', private_key_format: 'pkcs8' }]

const holdsNoKey = ({ data, text }: Answer): boolean => (data.private_key ?? '') === '' && !text.includes('PRIVATE KEY')

check(
  'pki/callers-keys',
  ['PKI-ROOT-04', 'PKI-ROOT-05', 'PKI-SIGN-11', 'PKI-ISSUE-09'],
  'the caller who exports a root gets its key, and no other answer shows a key',
  { needs },
  async ({ bench, expect }) => {
    const all = await callers(bench)
    for (const [what, caller] of all) {
      await withoutRoot(bench)
      const made = await bench.call('pki.generateRoot', { ...rootWanted(bench), path: { type: 'exported' }, ...caller })
      await bench.decide('PKI-ROOT-04', async () => {
        expect(made, what).toSucceed()
        const facts = await judgeCertificate(bench, String(made.data.certificate))
        expect(made.data.private_key, `the key for ${what}`).toContain('PRIVATE KEY')
        expect(publicKeyOf(String(made.data.private_key)), `the key for ${what}`).toBe(facts.publicKey)
      })
      for (const form of FORMS) {
        await bench.given('pki.deleteRoot')
        const internal = await bench.call('pki.generateRoot', { ...rootWanted(bench, form), ...caller })
        await bench.decide('PKI-ROOT-05', () => {
          if (!internal.ok && 'private_key_format' in form) return expect(internal).toBeRefused()
          expect(internal, `${JSON.stringify(form)} for ${what}`).toSucceed()
          expect(holdsNoKey(internal), `whether ${JSON.stringify(form)} holds no key for ${what}`).toBe(true)
        })
      }
    }
    await withRoot(bench)
    const role = await newRole(bench, { allow_any_name: true })
    for (const [what, caller] of all) {
      for (const form of FORMS) {
        const signed = await bench.call('pki.sign', { ...(await asked('sign', role, form)), ...caller })
        await bench.decide('PKI-SIGN-11', () => {
          // An operation that gives no key may refuse a form of keys.
          if (!signed.ok && 'private_key_format' in form) return expect(signed).toBeRefused()
          expect(signed, `${JSON.stringify(form)} for ${what}`).toSucceed()
          expect(holdsNoKey(signed), `whether ${JSON.stringify(form)} holds no key for ${what}`).toBe(true)
        })
      }
      const serial = String((await by(bench, caller, 'issue', role)).data.serial_number)
      for (const [reader, who] of all)
        for (const [operation, input] of [
          ['pki.readCertificate', { path: { serial } }],
          ['pki.readCertificate', { path: { serial: serial.replaceAll(':', '-') } }],
          ['pki.listCertificates', {}],
          ['pki.readRole', { path: { name: role } }],
          ['pki.readCaPem', {}],
          ['pki.readCaChain', {}],
          ['pki.revoke', { body: { serial_number: serial } }],
        ] as const) {
          const answer = await bench.call(operation, { ...input, ...who })
          await bench.decide('PKI-ISSUE-09', () =>
            expect(holdsNoKey(answer), `whether ${operation} by ${reader} shows no key made for ${what}`).toBe(true),
          )
        }
    }
  },
)

/** Which of these serial numbers a listing lacks. */
const missingFrom = (listing: Answer, serials: readonly string[]): string[] => {
  const keys = (Array.isArray(listing.data.keys) ? listing.data.keys : []).map(plainSerial)
  return serials.filter((serial) => !keys.includes(plainSerial(serial)))
}

check(
  'pki/callers-certificates',
  ['PKI-ISSUE-04', 'PKI-LIST-02', 'PKI-LIST-03', 'PKI-CERT-03', 'PKI-REVOKE-02', 'PKI-REVOKE-03'],
  'any caller lists and reads a certificate, and another than its requester revokes it',
  { needs },
  async ({ bench, expect }) => {
    const all = await callers(bench)
    await withRoot(bench)
    const role = await newRole(bench, { allow_any_name: true })
    const made: Record<Way, Answer[]> = { issue: [], sign: [] }
    for (const [what, caller] of all)
      for (const way of WAYS) {
        const answer = await by(bench, caller, way, role)
        if (way === 'issue')
          await bench.decide('PKI-ISSUE-04', async () => {
            expect(answer, what).toSucceed()
            const { publicKey } = await judgeCertificate(bench, String(answer.data.certificate))
            expect(publicKeyOf(String(answer.data.private_key)), `the key for ${what}`).toBe(publicKey)
          })
        made[way].push(answer)
      }
    const serials = (way: Way): string[] => made[way].filter(({ ok }) => ok).map(({ data }) => String(data.serial_number))
    for (const [what, caller] of all) {
      for (const method of ['LIST', 'GET']) {
        const listing = await bench.call('pki.listCertificates', { method, ...caller })
        for (const [way, clause] of [
          ['issue', 'PKI-LIST-02'],
          ['sign', 'PKI-LIST-03'],
        ] as const)
          await bench.decide(clause, () => expect(missingFrom(listing, serials(way)), `not listed by ${method} for ${what}`).toEqual([]))
      }
      for (const { data } of [...made.issue, ...made.sign])
        await bench.decide('PKI-CERT-03', async () => {
          const read = await readBySerial(bench, String(data.serial_number), caller)
          expect(sameText(read.data.certificate), `read by ${what}`).toBe(sameText(data.certificate))
        })
    }
    const turned = [...serials('issue').slice(1), ...serials('issue').slice(0, 1)]
    for (const [at, [what, caller]] of all.entries()) {
      const [clause, spelt] =
        at % 2 === 0 ? (['PKI-REVOKE-02', turned[at]!] as const) : (['PKI-REVOKE-03', turned[at]!.replaceAll(':', '-')] as const)
      await bench.decide(clause, async () => {
        const answer = await bench.call('pki.revoke', { body: { serial_number: spelt }, ...caller })
        expect(answer, `a certificate of another, revoked by ${what}`).toHaveStatus(200)
      })
    }
    const times: unknown[] = []
    for (const [, caller] of all) {
      const seen: unknown[] = []
      for (const serial of turned) seen.push((await readBySerial(bench, serial, caller)).data.revocation_time ?? null)
      times.push(seen)
    }
    await bench.decide('PKI-CERT-03', () => expect(times, 'times of revocation for each caller').toEqual(all.map(() => times[0])))
  },
)

/** A CA of our own takes the place of the one that is there. */
const replaceCa = async (bench: Bench, caller: CallInput): Promise<string> => {
  const own = await ownCertificate({ commonName: bench.fresh('ca'), ca: true, hours: 24 * 30 })
  bench.secret(own.privateKey)
  const request = { body: { pem_bundle: `${own.privateKey}\n${own.certificate}` }, ...caller }
  const written = await bench.call('pki.writeCa', request)
  const served = sameText((await bench.call('pki.readCaPem', caller)).text)
  // Where a bundle does not replace a CA that is there, that is found elsewhere.
  if (!written.ok || served !== sameText(own.certificate)) {
    await bench.given('pki.deleteRoot', caller)
    await bench.given('pki.writeCa', request)
  }
  return own.certificate
}

check(
  'pki/callers-changes',
  ['PKI-ROLE-02', 'PKI-ROLE-05', 'PKI-ISSUE-17', 'PKI-ISSUE-07', 'PKI-SIGN-12'],
  'what one caller changes of a role and of the CA counts for the others',
  { needs },
  async ({ bench, expect }: CheckContext) => {
    const all = await callers(bench)
    await withRoot(bench)
    const name = await newRole(bench, { allow_any_name: true, ou: 'zero' })
    for (const [, caller] of all) {
      await bench.given('pki.readRole', { path: { name }, ...caller })
      for (const way of WAYS) await by(bench, caller, way, name)
    }
    for (const [changed, changer] of all) {
      const body = { allow_any_name: true, ttl: '1h', ...quickKey, ou: changed }
      await bench.given('pki.writeRole', { path: { name }, body, ...changer })
      const ca = await replaceCa(bench, changer)
      for (const [what, caller] of all) {
        const read = await bench.call('pki.readRole', { path: { name }, ...caller })
        await bench.decide('PKI-ROLE-02', () => expect([read.data.ou].flat(), `read by ${what}, written by ${changed}`).toEqual([changed]))
        for (const way of WAYS) {
          const { data } = await by(bench, caller, way, name)
          const label = `${way} for ${what}, changed by ${changed}`
          await bench.decide('PKI-ISSUE-17', async () =>
            expect((await judgeCertificate(bench, String(data.certificate))).subject.OU, label).toEqual([changed]),
          )
          await bench.decide(way === 'issue' ? 'PKI-ISSUE-07' : 'PKI-SIGN-12', async () =>
            expect(await pathProblem(bench, String(data.certificate), [ca]), label).toBe(undefined),
          )
        }
      }
    }
    const [, [, another]] = all as [Who, Who, ...Who[]]
    await bench.given('pki.deleteRole', { path: { name }, ...another })
    for (const [what, caller] of all)
      await bench.decide('PKI-ROLE-05', async () => {
        expect(await bench.call('pki.readRole', { path: { name }, ...caller }), `a read by ${what}`).toHaveStatus(404)
        for (const way of WAYS) expect(await by(bench, caller, way, name), `${way} for ${what}`).toBeRefused()
      })
  },
)

check(
  'pki/callers-answers',
  ['PKI-INTER-01', 'PKI-SELF-01', 'PKI-CA-03', 'PKI-CA-04', 'PKI-CHAIN-02', 'PKI-CERT-02'],
  'each caller who has a CA certificate signed gets one, and all who read without a token read the same',
  { needs },
  async ({ bench, expect }) => {
    const all = await callers(bench)
    const ca = await withRoot(bench)
    const csr = await certificateRequest({ commonName: 'a' })
    const { certificate: selfIssued } = await ownCertificate({ commonName: bench.fresh('old'), ca: true })
    const signings: [clause: string, operation: string, body: JsonObject][] = [
      ['PKI-INTER-01', 'pki.signIntermediate', { csr, common_name: bench.fresh('below'), ttl: '24h' }],
      ['PKI-SELF-01', 'pki.signSelfIssued', { certificate: selfIssued }],
    ]
    for (const [clause, operation, body] of signings)
      for (const [what, caller] of all)
        await bench.decide(clause, async () => {
          const answer = await bench.call(operation, { body, ...caller })
          expect(answer, what).toSucceed()
          expect(await pathProblem(bench, String(answer.data.certificate), [ca]), `signed for ${what}`).toBe(undefined)
        })
    const made = await by(bench, {}, 'issue', await newRole(bench, { allow_any_name: true }))
    const serial = String(made.data.serial_number)
    const path = { serial: (await bench.call('pki.readCertificate', { path: { serial } })).ok ? serial : serial.replaceAll(':', '-') }
    const reads: [clause: string, operation: string, input: CallInput][] = [
      ['PKI-CA-03', 'pki.readCa', {}],
      ['PKI-CA-04', 'pki.readCaPem', {}],
      ['PKI-CHAIN-02', 'pki.readCaChain', {}],
      ['PKI-CERT-02', 'pki.readCertificate', { path }],
    ]
    for (const [clause, operation, input] of reads) {
      const shown = async (caller: CallInput) => {
        const { status, data, text } = await bench.call(operation, { ...input, ...caller })
        return [status, operation === 'pki.readCertificate' ? data : text]
      }
      const seen = await shown({})
      for (const [what, caller] of [['nobody', { as: 'none' }] as const, ...all])
        await bench.decide(clause, async () => expect(await shown(caller), `${operation} by ${what}`).toEqual(seen))
    }
  },
)
