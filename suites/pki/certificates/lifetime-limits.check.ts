/** Lifetimes at, below, above and without each limit: of the request, of the role and of the mount. */
import { certificateRequest, check, type JsonObject, judgeCertificate, targetNow } from '../../../harness/checks/index.ts'
import { ask, quickKey, rootWanted, WAYS, withLongCa, withoutRoot } from '../fixtures.ts'

const HOUR = 3600

const needs = { mounts: { pki: { type: 'pki', exclusive: true, config: { defaultLeaseTtl: 2 * HOUR, maxLeaseTtl: 4 * HOUR } } } }

/** Seconds for clocks, rounding and a slow machine. */
const SLACK = 60

type Row = [clauses: string[], role: JsonObject, requested: string, hours: number]

/** What is within every limit: it is had, and lives as long. */
const WITHIN: Row[] = [
  [['PKI-TTL-03'], {}, '', 2],
  [['PKI-TTL-03'], { max_ttl: '2h' }, '', 2],
  [['PKI-TTL-03'], { max_ttl: '3h' }, '', 2],
  [['PKI-TTL-03'], { max_ttl: '4h' }, '', 2],
  [['PKI-TTL-03'], { max_ttl: '30m' }, '', 0.5],
  [['PKI-TTL-02'], { ttl: '1h', max_ttl: '1h' }, '', 1],
  [['PKI-TTL-02'], { ttl: '90m', max_ttl: '5400s' }, '', 1.5],
  [['PKI-TTL-02'], { ttl: '1h', max_ttl: '3601s' }, '', 1],
  [['PKI-TTL-02'], { ttl: '2h' }, '', 2],
  [['PKI-TTL-02'], { ttl: '3h' }, '', 3],
  [['PKI-TTL-02'], { ttl: '4h' }, '', 4],
  [['PKI-TTL-02'], { ttl: '4h', max_ttl: '4h' }, '', 4],
  // The ttl of the role is a default: no more and no less than that.
  [['PKI-REQTTL-01'], { ttl: '1h' }, '3h', 3],
  [['PKI-REQTTL-01'], { ttl: '1h' }, '4h', 4],
  [['PKI-REQTTL-01'], { ttl: '3h' }, '1h', 1],
  [['PKI-REQTTL-01'], { ttl: '1h', max_ttl: '1h' }, '1h', 1],
  [['PKI-REQTTL-01'], { ttl: '1h', max_ttl: '1h' }, '3600s', 1],
  [['PKI-REQTTL-01'], { ttl: '1h', max_ttl: '3h' }, '3h', 3],
  [['PKI-REQTTL-01'], { ttl: '1h', max_ttl: '3h' }, '10799s', 3],
  [['PKI-REQTTL-01'], { max_ttl: '1h' }, '1h', 1],
  [['PKI-REQTTL-01'], { max_ttl: '4h' }, '4h', 4],
]

/** What is beyond one: refused, or cut to as much as it allows. */
const BEYOND: Row[] = [
  [['PKI-MAXTTL-02', 'PKI-REQTTL-02'], { ttl: '1h', max_ttl: '1h' }, '65m', 1],
  [['PKI-MAXTTL-02', 'PKI-REQTTL-02'], { ttl: '1h', max_ttl: '1h' }, '999999h', 1],
  [['PKI-MAXTTL-02', 'PKI-REQTTL-02'], { max_ttl: '1h' }, '2h', 1],
  [['PKI-MAXTTL-02', 'PKI-REQTTL-02'], { ttl: '1h', max_ttl: '3h' }, '4h', 3],
  [['PKI-MAXTTL-03'], {}, '245m', 4],
  [['PKI-MAXTTL-03'], { ttl: '1h' }, '999999h', 4],
]

check(
  'pki/lifetime-limits',
  ['PKI-TTL-02', 'PKI-TTL-03', 'PKI-REQTTL-01', 'PKI-REQTTL-02', 'PKI-MAXTTL-02', 'PKI-MAXTTL-03'],
  'lifetimes at, below and above what request, role and mount allow',
  { needs },
  async ({ bench, expect }) => {
    // Under a CA that lives no longer than the mount allows, what lives as long would outlive it.
    const longest = (await withLongCa(bench)) ? 4 : 3
    for (const [at, [clauses, fields, requested, hours]] of [...WITHIN, ...BEYOND].entries()) {
      if (at < WITHIN.length && hours > longest) continue
      const what = `a role of ${JSON.stringify(fields)}, asked for "${requested}"`
      const name = bench.mixedName('role')
      const written = await bench.call('pki.writeRole', { path: { name }, body: { allow_any_name: true, ...quickKey, ...fields } })
      for (const way of WAYS) {
        const before = targetNow(bench)
        const answer = await ask(bench, way, name, requested === '' ? {} : { ttl: requested })
        const after = targetNow(bench)
        for (const clause of clauses)
          await bench.decide(clause, async () => {
            expect(written, what).toSucceed()
            if (at < WITHIN.length) expect(answer, `${way} by ${what}`).toSucceed()
            else if (!answer.ok) return expect(answer, `${way} by ${what}`).toBeRefused()
            const { notAfter } = await judgeCertificate(bench, String(answer.data.certificate))
            expect(notAfter - after - hours * HOUR, `${way} by ${what}: seconds too long`).toBeLessThan(SLACK)
            if (at < WITHIN.length) expect(before + hours * HOUR - notAfter, `${way} by ${what}: seconds too short`).toBeLessThan(SLACK)
          })
      }
    }
  },
)

check(
  'pki/authority-lifetime-limits',
  ['PKI-ROOT-17', 'PKI-INTER-16'],
  'a CA may live as long as the mount allows, and no longer',
  { needs },
  async ({ bench, expect }) => {
    const lives = async (clause: string, operation: string, input: { path?: Record<string, string>; body: JsonObject }, hours: number) => {
      const before = targetNow(bench)
      const answer = await bench.call(operation, input)
      const after = targetNow(bench)
      await bench.decide(clause, async () => {
        expect(answer, `${operation} for ${hours} hours`).toSucceed()
        const { notAfter } = await judgeCertificate(bench, String(answer.data.certificate))
        expect(notAfter - after - hours * HOUR, `${operation}: seconds too long`).toBeLessThan(SLACK)
        expect(before + hours * HOUR - notAfter, `${operation}: seconds too short`).toBeLessThan(SLACK)
      })
    }
    for (const [ttl, hours] of [
      ['4h', 4],
      ['3h', 3],
      ['14400s', 4],
    ] as const) {
      await withoutRoot(bench)
      await lives('PKI-ROOT-17', 'pki.generateRoot', rootWanted(bench, { ttl }), hours)
    }
    if (!(await withLongCa(bench))) return
    const csr = await certificateRequest({ commonName: 'a' })
    for (const [ttl, hours] of [
      ['4h', 4],
      ['3h', 3],
      ['14400s', 4],
    ] as const)
      await lives('PKI-INTER-16', 'pki.signIntermediate', { body: { csr, common_name: bench.fresh('below'), ttl } }, hours)
  },
)
