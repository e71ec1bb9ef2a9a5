import { property } from '../../../harness/checks/index.ts'
import { caFields, hostFields, hostRequest, ownMount, request, roleWith, withCa } from '../fixtures.ts'

const NAMES = ['ubuntu', 'deploy', 'root', 'ub']

property(
  'ssh/ca-users-matrix',
  ['SSH-USERS-06', 'SSH-USERS-07', 'SSH-USERS-08', 'SSH-USERS-09'],
  'list, default user and request decide together who is signed for',
  { ...ownMount, runs: [8, 25] },
  ({ fc }) =>
    fc.record({
      listed: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 3 }),
      star: fc.boolean(),
      defaultUser: fc.constantFrom('', ...NAMES),
      requested: fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 2 }),
    }),
  async ({ bench, expect }, { listed, star, defaultUser, requested }) => {
    await withCa(bench)
    const allowed_users = star ? '*' : listed.join(',')
    const role = await roleWith(bench, caFields({ allowed_users, default_user: defaultUser }))
    const answer = await bench.call('ssh.signKey', { path: { name: role }, body: request(requested.join(',')) })
    const words = `list ${allowed_users || 'empty'}, default ${defaultUser || 'none'}, asked for ${requested.join(' and ')}`
    const granted = star || requested.every((name) => listed.includes(name))
    const refused = listed.length === 0 ? 'SSH-USERS-06' : 'SSH-USERS-09'
    // That several names can be asked for at once is advised: what must be is that each of them is permitted.
    if (granted && requested.length > 1) return
    // A server may sign for the permitted names of a mixed request: SSH-USERS-11 and SSH-USERS-21 decide that.
    if (!granted && requested.some((name) => listed.includes(name))) return
    const clause = !granted ? refused : star ? 'SSH-USERS-07' : 'SSH-USERS-08'
    await bench.decide(clause, () => (granted ? expect(answer, words).toHaveStatus(200) : expect(answer, words).toBeRefused()))
  },
)

const HOSTS = ['example.com', 'web.example.com', 'a.b.example.com', 'wexample.com', 'example.org', 'x.example.org']

property(
  'ssh/host-domains-matrix',
  ['SSH-DOMAIN-02', 'SSH-DOMAIN-03', 'SSH-DOMAIN-04'],
  'domains, the two flags and the request decide together which hosts are signed for',
  { ...ownMount, runs: [8, 30] },
  ({ fc }) =>
    fc.record({
      domains: fc.constantFrom('*', 'example.com', 'example.com,example.org'),
      bare: fc.boolean(),
      sub: fc.boolean(),
      requested: fc.constantFrom(...HOSTS),
    }),
  async ({ bench, expect }, { domains, bare, sub, requested }) => {
    await withCa(bench)
    const role = await roleWith(bench, hostFields({ allowed_domains: domains, allow_bare_domains: bare, allow_subdomains: sub }))
    const answer = await bench.call('ssh.signKey', { path: { name: role }, body: hostRequest(requested) })
    const words = `domains ${domains}, bare ${bare}, subdomains ${sub}, asked for ${requested}`
    const listed = domains.split(',')
    const granted = domains === '*' || listed.some((domain) => (bare && requested === domain) || (sub && requested.endsWith(`.${domain}`)))
    const clause = domains === '*' ? 'SSH-DOMAIN-02' : granted ? 'SSH-DOMAIN-04' : 'SSH-DOMAIN-03'
    await bench.decide(clause, () => (granted ? expect(answer, words).toHaveStatus(200) : expect(answer, words).toBeRefused()))
  },
)
