import { type Bench, check, type JsonObject, sshOracle } from '../../../harness/checks/index.ts'
import { pairBody } from '../ca/ca-pair.ts'
import { caFields, hostRequest, ownMount, request, roleWith, signed, userPair, withCa } from '../fixtures.ts'

const ALGORITHMS = [
  ['SSH-ALGO-01', 'rsa-sha2-256'],
  ['SSH-ALGO-02', 'rsa-sha2-512'],
  ['SSH-ALGO-03', 'ssh-rsa'],
] as const

check(
  'ssh/algorithm-signer',
  ALGORITHMS.map(([clause]) => clause),
  'the role names the signature algorithm of an RSA CA, whatever key is signed and for whom',
  ownMount,
  async (context) => {
    const { bench, expect } = context
    await withCa(bench)
    const others = (['ed25519', 'ecdsa-256'] as const).map((kind) => [kind, sshOracle.keyPair(kind, bench.random.bytes).publicKey] as const)
    for (const [clause, algorithm_signer] of ALGORITHMS) {
      const both = { allow_host_certificates: true, allowed_domains: '*' }
      const role = await roleWith(bench, caFields({ ...both, algorithm_signer }))
      for (const [kind, public_key] of [['rsa', userPair().publicKey], ...bench.few(others, 1)] as const)
        for (const asked of [
          { ...request('ubuntu'), public_key },
          { ...hostRequest('host.example.com'), public_key },
        ]) {
          // Which kinds of keys are signed besides RSA is not said.
          if (kind !== 'rsa' && !(await bench.call('ssh.signKey', { path: { name: role }, body: asked })).ok) continue
          await bench.decide(clause, async () => {
            const { certificate } = await signed(context, role, asked)
            expect(certificate.signatureAlgorithm, `of a key of kind ${kind}`).toBe(algorithm_signer)
          })
        }
    }
  },
)

check('ssh/algorithm-default', 'SSH-ALGO-07', 'the algorithm of a role that names none', ownMount, async (context) => {
  const { bench } = context
  await withCa(bench)
  const { certificate } = await signed(context, await roleWith(bench, caFields()), request('ubuntu'))
  bench.observe('SSH-ALGO-07', certificate.signatureAlgorithm)
})

check(
  'ssh/algorithm-signer-other-ca',
  ['SSH-ALGO-05', 'SSH-ALGO-08'],
  'with another CA than RSA the algorithm must be blank',
  ownMount,
  async ({ bench, expect }) => {
    const body = { public_key: userPair().publicKey, valid_principals: 'ubuntu' }
    let tried = 0
    for (const kind of ['ed25519', 'ecdsa-256'] as const) {
      await bench.call('ssh.deleteCa')
      if (!(await bench.call('ssh.writeCa', { body: pairBody(sshOracle.keyPair(kind, bench.random.bytes)) })).ok) continue
      for (const algorithm_signer of ['rsa-sha2-256', 'ssh-rsa', 'rsa-sha2-512']) {
        const name = bench.mixedName('role')
        const written = await bench.call('ssh.writeRole', { path: { name }, body: caFields({ algorithm_signer }) })
        const answer = await bench.call('ssh.signKey', { path: { name }, body })
        const what = `${algorithm_signer} with a CA of ${kind}, role answered ${written.status}`
        await bench.decide('SSH-ALGO-05', () => expect(answer.ok, `success with ${what}`).toBe(false))
        await bench.decide('SSH-ALGO-08', () => expect(answer, what).toBeRefused())
      }
      await refusesNothing(bench, body)
      tried += 1
    }
    if (tried === 0) for (const clause of ['SSH-ALGO-05', 'SSH-ALGO-08']) bench.observe(clause, 'no CA key of another kind is taken')
  },
)

/** The control of the refusal above: a role without algorithm signs. */
const refusesNothing = async (bench: Bench, body: JsonObject): Promise<void> => {
  await bench.given('ssh.signKey', { path: { name: await roleWith(bench, caFields()) }, body })
}
