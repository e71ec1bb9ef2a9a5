/** Roles whose names are alike, used: each certificate is by the role that is named. */
import { check, judgeCertificate } from '../../../harness/checks/index.ts'
import { asked, ownMount, quickKey, WAYS, withRoot } from '../fixtures.ts'

const LONG = '-long'.repeat(16)

/** Names, longer ones before and after those that they begin like; each of a role of its own. */
const alike = (name: string): string[] => [
  ...[`${name}a`, `${name}-a`, `${name}${LONG}b`, name, `${name}${LONG}a`, `${name}.a`, `${name}_a`, `x${name}`],
]

check(
  'pki/roles-alike-used',
  ['PKI-ISSUE-17', 'PKI-ROLE-05', 'PKI-ISSUE-11', 'PKI-SIGN-10'],
  'a certificate is by the role of the name that was given, and by none whose name is like it',
  { needs: ownMount },
  async ({ bench, expect }) => {
    await withRoot(bench)
    const names = alike(bench.fresh('used'))
    for (const [index, name] of names.entries()) {
      bench.defer(() => bench.call('pki.deleteRole', { path: { name } }))
      const body = {
        ttl: '1h',
        ...quickKey,
        allowed_domains: [`n${index}.example`, 'all.example'],
        allow_subdomains: true,
        ou: `n${index}`,
      }
      await bench.given('pki.writeRole', { path: { name }, body })
    }
    const by = async (way: (typeof WAYS)[number], name: string, index: number): Promise<unknown> => {
      const answer = await bench.call(`pki.${way}`, await asked(way, name, { common_name: `www.n${index}.example` }))
      return answer.ok ? (await judgeCertificate(bench, String(answer.data.certificate))).subject.OU : 'refused'
    }
    const all = async (but: readonly string[]): Promise<Record<string, unknown>> => {
      const seen: Record<string, unknown> = {}
      for (const [index, name] of names.entries())
        for (const way of WAYS) if (!but.includes(name)) seen[`${way} by ${name}`] = await by(way, name, index)
      return seen
    }
    const whole = await all([])
    await bench.decide('PKI-ISSUE-17', () =>
      expect(whole).toEqual(Object.fromEntries(names.flatMap((name, index) => WAYS.map((way) => [`${way} by ${name}`, [`n${index}`]])))),
    )
    // A prefix of role names is not a role itself.
    const base = names[3]!
    for (const way of WAYS)
      for (const nobody of [base.slice(0, -1), `${base}b`, `${base}${LONG}`, `${base}-`])
        await bench.decide(way === 'issue' ? 'PKI-ISSUE-11' : 'PKI-SIGN-10', async () => {
          const answer = await bench.call(`pki.${way}`, await asked(way, nobody, { common_name: 'www.all.example' }))
          expect(answer, `${way} by ${nobody}`).toBeRefused()
          expect([400, 404], `${way} by ${nobody}`).toContain(answer.status)
        })
    const gone: string[] = []
    for (const at of [3, 0]) {
      await bench.given('pki.deleteRole', { path: { name: names[at]! } })
      gone.push(names[at]!)
      const left = await all(gone)
      await bench.decide('PKI-ROLE-05', async () => {
        for (const way of WAYS) expect(await by(way, names[at]!, at), `${way} by a role that was deleted`).toBe('refused')
        expect(left, 'by all others').toEqual(Object.fromEntries(Object.entries(whole).filter(([what]) => what in left)))
      })
    }
  },
)
