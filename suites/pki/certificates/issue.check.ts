/** What an issued credential is. */
import {
  certificateRequest,
  check,
  handshakeProblem,
  judgeCertificate,
  pathProblem,
  publicKeyOf,
  textsIn,
  validHere,
} from '../../../harness/checks/index.ts'
import {
  ask,
  expectChain,
  issue,
  issuesNothing,
  newRole,
  openRole,
  ownAuthority,
  ownMount,
  pemBlocks,
  plainSerial,
  quickKey,
  readBySerial,
  rootWanted,
  sameText,
  WAYS,
  withoutRoot,
  withRoot,
} from '../fixtures.ts'

check(
  'pki/issued-credential',
  [
    'PKI-ISSUE-01',
    'PKI-ISSUE-02',
    'PKI-ISSUE-03',
    'PKI-ISSUE-04',
    'PKI-ISSUE-05',
    'PKI-ISSUE-06',
    'PKI-ISSUE-13',
    'PKI-ISSUE-15',
    'PKI-ISSUE-16',
  ],
  'an issued credential is what it says',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    const ca = await withRoot(bench)
    const role = await openRole(bench)
    const answer = await bench.call('pki.issue', { path: { name: role }, body: { common_name: 'www.example.com' } })
    const { data } = answer
    let facts: Awaited<ReturnType<typeof judgeCertificate>> | undefined
    await bench.decide('PKI-ISSUE-01', async () => {
      expect(answer).toHaveStatus(200)
      facts = await judgeCertificate(bench, String(data.certificate))
      expect(facts.subject.CN).toEqual(['www.example.com'])
    })
    await bench.decide('PKI-ISSUE-02', () => expect(sameText(data.issuing_ca)).toBe(sameText(pemBlocks(ca)[0])))
    const chain = textsIn(data.ca_chain)
    await bench.decide('PKI-ISSUE-03', () => expectChain(context, data.ca_chain))
    await bench.decide('PKI-ISSUE-15', () => expect(sameText(chain[0] ?? data.issuing_ca)).toBe(sameText(data.issuing_ca)))
    await bench.decide('PKI-ISSUE-04', () => expect(publicKeyOf(String(data.private_key))).toBe(facts?.publicKey))
    await bench.decide('PKI-ISSUE-05', () => expect(String(data.private_key_type)).toMatch(/^ec(dsa)?([-_ ]?p?-?\d+)?$/i))
    await bench.decide('PKI-ISSUE-06', () => {
      expect(data.serial_number).toMatch(/^[0-9a-f]{2}(:[0-9a-f]{2})*$/i)
      expect(plainSerial(data.serial_number)).toBe(facts?.serial)
    })
    await bench.decide('PKI-ISSUE-13', () => expect(facts?.basicConstraints?.ca ?? false).toBe(false))
    const issuer = await judgeCertificate(bench, ca)
    await bench.decide('PKI-ISSUE-16', () => {
      expect(facts?.authorityKeyId).toBeTruthy()
      expect(facts?.authorityKeyId).toBe(issuer.subjectKeyId)
    })
  },
)

check('pki/issued-verifies', 'PKI-ISSUE-07', 'an issued certificate verifies under the CA', { needs: ownMount }, async (context) => {
  const { bench, expect } = context
  const ca = await withRoot(bench)
  const made = await issue(context, await openRole(bench))
  const issuer = await judgeCertificate(bench, ca)
  expect(made.facts.issuer).toEqual(issuer.subject)
  expect(await pathProblem(bench, made.certificate, [ca])).toBe(undefined)
})

const CURVES_OF_TLS = ['prime256v1', 'secp384r1', 'secp521r1']

check('pki/handshake', 'PKI-ISSUE-08', 'an issued pair carries a TLS handshake for its name only', { needs: ownMount }, async (context) => {
  const { bench, expect } = context
  const root = await withRoot(bench)
  for (const kind of [{ key_type: 'rsa', key_bits: 2048 }, quickKey]) {
    const made = await issue(context, await openRole(bench, kind), { common_name: 'served.example.com', alt_names: 'also.example.com' })
    const { key, notBefore, notAfter } = made.facts
    // The documents name no curve, and TLS does not take every one of 256 bits.
    if (key.curve !== undefined && !CURVES_OF_TLS.includes(key.curve)) continue
    await validHere(bench, notBefore, notAfter)
    const { notBefore: rootBegins, notAfter: rootEnds } = await judgeCertificate(bench, root)
    await validHere(bench, rootBegins, rootEnds)
    const pair = { certificates: [made.certificate], privateKey: String(made.answer.data.private_key), root }
    const problem = (serverName: string) => handshakeProblem(bench, { ...pair, serverName })
    expect(await problem('served.example.com'), kind.key_type).toBe(undefined)
    expect(await problem('also.example.com'), kind.key_type).toBe(undefined)
    expect(await problem('other.example.com'), kind.key_type).not.toBe(undefined)
  }
})

check(
  'pki/key-not-stored',
  'PKI-ISSUE-09',
  'no later answer has the private key',
  { kind: 'security', needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    await withRoot(bench)
    const role = await openRole(bench)
    const { answer } = await issue(context, role)
    const secret = sameText(answer.data.private_key).slice(40, 120)
    const serial = String(answer.data.serial_number)
    const later = [
      await readBySerial(bench, serial),
      await bench.call('pki.listCertificates'),
      await bench.call('pki.readRole', { path: { name: role } }),
      await bench.call('pki.readCaChain'),
      await bench.call('pki.revoke', { body: { serial_number: serial } }),
      await readBySerial(bench, serial),
    ]
    for (const { text } of later) {
      expect(sameText(text.replaceAll('\\n', ''))).not.toContain(secret)
      expect(text).not.toContain('PRIVATE KEY')
    }
  },
)

check(
  'pki/serials-unique',
  ['PKI-ISSUE-10', 'PKI-ISSUE-14', 'PKI-ISSUE-04', 'PKI-CN-01'],
  'concurrent certificates have serial numbers, keys and names of their own, whether issued or signed for one request',
  { kind: 'race', needs: ownMount },
  async ({ bench, expect }) => {
    await withRoot(bench)
    const roles = {
      ec: await openRole(bench, { use_csr_common_name: false }),
      rsa: await openRole(bench, { key_type: 'rsa', key_bits: 2048 }),
    }
    const csr = await certificateRequest({ commonName: 'www.example.com' })
    const wanted = bench.effort(50, 200)
    const names = Array.from({ length: wanted }, (_, at) => `n${at}.example.com`)
    const of = (role: string, common_name: string) => bench.given('pki.issue', { path: { name: role }, body: { common_name } })
    const issued = await Promise.all([
      ...names.map((name) => of(roles.ec, name)),
      // Requests that are equal in all they say, too.
      ...['a', 'b', 'b', 'c'].map((name) => of(roles.rsa, name)),
      ...Array.from({ length: 8 }, () => of(roles.ec, 'same.example.com')),
    ])
    const signed = await Promise.all(
      names.map((common_name) => bench.given('pki.sign', { path: { name: roles.ec }, body: { csr, common_name } })),
    )
    const all = [...issued, ...signed]
    await bench.decide('PKI-ISSUE-10', () =>
      expect(new Set(all.map(({ data }) => plainSerial(data.serial_number))).size, 'serial numbers').toBe(all.length),
    )
    await bench.decide('PKI-ISSUE-14', () =>
      expect(new Set(issued.map(({ data }) => publicKeyOf(String(data.private_key)))).size, 'keys').toBe(issued.length),
    )
    // To judge a certificate takes a moment: some of them stand for all.
    for (const at of [0, 1, 2, wanted - 2, wanted - 1]) {
      const facts = await judgeCertificate(bench, String(issued[at]!.data.certificate))
      await bench.decide('PKI-ISSUE-04', () => expect(publicKeyOf(String(issued[at]!.data.private_key))).toBe(facts.publicKey))
      const other = await judgeCertificate(bench, String(signed[at]!.data.certificate))
      await bench.decide('PKI-CN-01', () => expect([facts.subject.CN, other.subject.CN]).toEqual([[names[at]], [names[at]]]))
    }
  },
)

check('pki/issue-unknown-role', 'PKI-ISSUE-11', 'issuing by an unknown role is refused', { needs: ownMount }, async ({ bench }) => {
  await withRoot(bench)
  const role = await openRole(bench)
  const body = { common_name: 'www.example.com' }
  await bench.refuses('pki.issue', {
    bad: { path: { name: bench.fresh('nobody') }, body },
    control: { path: { name: role }, body },
    unchanged: { operation: 'pki.readRole', input: { path: { name: role } } },
    status: [400, 404],
  })
})

check(
  'pki/issue-without-ca',
  ['PKI-ISSUE-12', 'PKI-ISSUE-21', 'PKI-ISSUE-01', 'PKI-SIGN-01'],
  'issuing without a CA is refused, and the role issues once there is one',
  { needs: ownAuthority },
  async (context) => {
    const { bench, expect } = context
    await withoutRoot(bench)
    const role = await openRole(bench)
    // A fixed mount may have certificates of others come and go.
    const listed = async () => (await bench.call('pki.listCertificates')).status
    const before = await listed()
    for (const way of WAYS) await issuesNothing(context, 'PKI-ISSUE-12', way, await ask(bench, way, role))
    await bench.decide('PKI-ISSUE-12', async () => expect(await listed(), 'status of the listing afterwards').toBe(before))
    await bench.given('pki.generateRoot', rootWanted(bench))
    for (const [way, clause] of [
      ['issue', 'PKI-ISSUE-01'],
      ['sign', 'PKI-SIGN-01'],
    ] as const)
      await bench.decide(clause, async () => expect(await ask(bench, way, role), `${way} by a role older than the CA`).toSucceed())
  },
)

check('pki/keys-new', 'PKI-ISSUE-14', 'every issue makes a new key', { needs: ownMount }, async (context) => {
  const { bench, expect } = context
  await withRoot(bench)
  const roles = [
    await openRole(bench),
    await openRole(bench, { key_bits: 384 }),
    await openRole(bench, { key_type: 'rsa', key_bits: 3072 }),
  ]
  const made = []
  for (const role of [...roles, ...roles, roles[0]!]) made.push(await issue(context, role))
  expect(new Set(made.map(({ facts }) => facts.publicKey)).size, 'keys').toBe(made.length)
})

check('pki/role-decides-now', 'PKI-ISSUE-17', 'a changed role decides from then on', { needs: ownMount }, async (context) => {
  const { bench, expect } = context
  await withRoot(bench)
  const role = await newRole(bench, { allowed_domains: ['before.example'], allow_subdomains: true })
  await issue(context, role, { common_name: 'a.before.example' })
  const body = { allowed_domains: ['after.example'], allow_subdomains: true, key_type: 'ec', key_bits: 256, ttl: '1h' }
  await bench.given('pki.writeRole', { path: { name: role }, body })
  expect(await bench.call('pki.issue', { path: { name: role }, body: { common_name: 'a.before.example' } })).toBeRefused()
  await issue(context, role, { common_name: 'a.after.example' })
})
