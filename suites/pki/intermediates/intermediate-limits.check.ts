/** What bounds an intermediate and what is below it. */
import { type Bench, certificateRequest, check, type JsonObject, judgeCertificate, targetNow } from '../../../harness/checks/index.ts'
import { newRoot, ownAuthority, ownMount, signIntermediate, withIntermediate, withUnlimited } from '../fixtures.ts'

/** What a request says or does not say for itself; the limits are the caller's either way. */
const ORIGINS: JsonObject[] = [{}, { use_csr_values: true }]

/** CAs with a path length: a root of the mount, and one from outside that stands below a root. */
const LIMITED: Record<string, (bench: Bench, limit: number) => Promise<unknown>> = {
  'a root': (bench, limit) => newRoot(bench, { max_path_length: limit }),
  'a CA below a root': (bench, limit) => withIntermediate(bench, bench.fresh('ca'), limit),
}

check(
  'pki/intermediate-path-length',
  'PKI-INTER-07',
  'a path length is in the certificate, zero included, also with the values of the request',
  { needs: ownMount },
  async (context) => {
    await withUnlimited(context.bench)
    for (const more of ORIGINS)
      for (const length of [0, 1, 2]) {
        const { facts } = await signIntermediate(context, { ...more, max_path_length: length })
        context.expect(facts.basicConstraints?.pathLength, JSON.stringify(more)).toBe(length)
      }
  },
)

check(
  'pki/intermediate-limits-of-signers',
  ['PKI-INTER-08', 'PKI-INTER-09'],
  'the limit of any signer holds, whatever the request asks for itself',
  { needs: ownAuthority },
  async ({ bench, expect }) => {
    const csr = await certificateRequest({ commonName: 'Below', ca: true, pathLength: 3 })
    for (const [what, make] of Object.entries(LIMITED))
      for (const limit of [0, 2]) {
        await make(bench, limit)
        for (const more of [...ORIGINS, { use_csr_values: true, max_path_length: 3 }]) {
          const answer = await bench.call('pki.signIntermediate', { body: { csr, common_name: 'Below', ttl: '24h', ...more } })
          await bench.decide(limit === 0 ? 'PKI-INTER-09' : 'PKI-INTER-08', async () => {
            const asked = `${JSON.stringify(more)} under ${what} with the path length ${limit}`
            if (!answer.ok) return expect(answer, asked).toBeRefused()
            const { ca, pathLength = Number.POSITIVE_INFINITY } =
              (await judgeCertificate(bench, String(answer.data.certificate))).basicConstraints ?? {}
            expect(ca === true && pathLength >= limit, `a CA with path length ${pathLength}, ${asked}`).toBe(false)
          })
        }
      }
  },
)

check(
  'pki/intermediate-below-limit',
  'PKI-INTER-08',
  'under a limited signer the limit is at most one less',
  { needs: ownAuthority },
  async (context) => {
    const { bench, expect } = context
    await newRoot(bench, { max_path_length: 2 })
    expect((await signIntermediate(context)).facts.basicConstraints?.pathLength).toBe(1)
    expect((await signIntermediate(context, { max_path_length: 0 })).facts.basicConstraints?.pathLength).toBe(0)
    expect((await signIntermediate(context, { max_path_length: 1 })).facts.basicConstraints?.pathLength).toBe(1)
    // As much as the signer has, one more, and more than that.
    for (const max_path_length of [2, 3, 5]) {
      const body = { csr: await certificateRequest({ commonName: 'a' }), common_name: bench.fresh('below'), ttl: '24h', max_path_length }
      const answer = await bench.call('pki.signIntermediate', { body })
      if (answer.ok) expect((await judgeCertificate(bench, String(answer.data.certificate))).basicConstraints?.pathLength).toBe(1)
      else expect(answer, `path length ${max_path_length}`).toBeRefused()
    }
    // Below a limit of one stands a limit of nothing, which is not none.
    for (const limit of [1, 4]) {
      await newRoot(bench, { max_path_length: limit })
      for (const asked of [{}, { max_path_length: -1 }] as JsonObject[])
        expect((await signIntermediate(context, asked)).facts.basicConstraints?.pathLength, `below a limit of ${limit}`).toBe(limit - 1)
    }
  },
)

check(
  'pki/intermediate-permitted-domains',
  'PKI-INTER-10',
  'permitted domains constrain the names below',
  { needs: ownMount },
  async (context) => {
    await withUnlimited(context.bench)
    for (const more of ORIGINS)
      for (const permitted_dns_domains of [['one.example', 'two.example'], 'one.example,two.example']) {
        const fields = { ...more, permitted_dns_domains }
        const { facts } = await signIntermediate(context, fields)
        context.expect([...facts.permittedDns].sort(), JSON.stringify(fields)).toEqual(['one.example', 'two.example'])
      }
  },
)

/** Seconds that a mount of one check lets anything live. */
const MAXIMUM = 1000 * 3600

check(
  'pki/intermediate-ttl',
  'PKI-INTER-16',
  'the requested ttl is the lifetime, within the maximum',
  { needs: { mounts: { pki: { type: 'pki', exclusive: true, config: { maxLeaseTtl: MAXIMUM } } } } },
  async (context) => {
    const { bench, expect } = context
    const root = await judgeCertificate(bench, await newRoot(bench, { ttl: '500h' }))
    for (const more of ORIGINS) {
      const now = targetNow(bench)
      const { facts } = await signIntermediate(context, { ...more, ttl: '100h' })
      expect(Math.abs(facts.notAfter - now - 360_000), `seconds from the end that was asked for, ${JSON.stringify(more)}`).toBeLessThan(60)
      const body = { csr: await certificateRequest({ commonName: 'a' }), common_name: bench.fresh('below'), ttl: '999999h', ...more }
      const beyond = await bench.call('pki.signIntermediate', { body })
      const end = Math.max(root.notAfter, targetNow(bench) + MAXIMUM + 60)
      if (!beyond.ok) {
        expect(beyond, JSON.stringify(more)).toBeRefused()
        continue
      }
      const { notAfter } = await judgeCertificate(bench, String(beyond.data.certificate))
      expect(notAfter - end, `seconds beyond what is allowed, ${JSON.stringify(more)}`).toBeLessThanOrEqual(0)
    }
  },
)
