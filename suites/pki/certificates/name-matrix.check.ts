/** Names against all combinations of a role's attributes, held to a model of the policy. */
import { type Answer, type Bench, type CheckContext, certificateRequest, check, type JsonObject } from '../../../harness/checks/index.ts'
import { newRole, ownMount, withRoot } from '../fixtures.ts'
import { LISTED, type NameCase, nameCases, pairwiseRoles } from './policy-model.ts'

type Ask = (bench: Bench, role: string, name: string) => Promise<Answer>

/** Holds the names to the model, each deciding a clause. */
const matrix = async (
  { bench, expect }: CheckContext,
  cases: NameCase[],
  fields: JsonObject,
  ask: Ask,
  clauseOf: (name: NameCase, allowed: boolean) => string,
  /** How many roles quick effort tries. */
  most = 4,
): Promise<void> => {
  await withRoot(bench)
  const pick = <T>(candidates: readonly T[]): T => bench.random.pick(candidates)
  for (const attributes of bench.few(pairwiseRoles(pick), most)) {
    const role = await newRole(bench, { allowed_domains: LISTED, ...attributes, ...fields })
    for (const one of cases) {
      const verdict = one.allowed(attributes)
      if (verdict === 'silent') continue
      const answer = await ask(bench, role, one.name)
      const because = `${one.name} under ${JSON.stringify({ allowed_domains: LISTED, ...attributes })}`
      await bench.decide(clauseOf(one, verdict), () =>
        verdict ? expect(answer, because).toSucceed() : expect(answer, because).toBeRefused(),
      )
    }
  }
}

const issueWith =
  (body: (name: string) => JsonObject): Ask =>
  (bench, role, name) =>
    bench.call('pki.issue', { path: { name: role }, body: body(name) })

const signWith =
  (request: (name: string) => Parameters<typeof certificateRequest>[0], body: (name: string) => JsonObject = () => ({})): Ask =>
  async (bench, role, name) =>
    bench.call('pki.sign', { path: { name: role }, body: { csr: await certificateRequest(request(name)), ...body(name) } })

const ofBody = signWith(
  () => ({ commonName: 'ignored.invalid', dns: ['ignored.invalid'] }),
  (name) => ({ common_name: name, alt_names: name }),
)
const commonName = issueWith((name) => ({ common_name: name }))
const alternative = issueWith((name) => ({ alt_names: name }))
const unnamed = { require_cn: false }
const bodyOnly = { use_csr_common_name: false, use_csr_sans: false }

const HOSTS: [id: string, clause: string, title: string, fields: JsonObject, ask: Ask][] = [
  ['common-name', 'PKI-MATRIX-01', 'common names follow the model of the policy', {}, commonName],
  ['dns-names', 'PKI-MATRIX-02', 'DNS alternative names follow the model of the policy', unnamed, alternative],
  ['request-common-name', 'PKI-MATRIX-04', 'common names of requests follow the model', {}, signWith((name) => ({ commonName: name }))],
  ['request-dns', 'PKI-MATRIX-04', 'DNS names of requests follow the model', unnamed, signWith((name) => ({ dns: [name] }))],
  ['sign-body', 'PKI-MATRIX-04', 'names of the body of a signing request follow the model', bodyOnly, ofBody],
]
for (const [id, clause, title, fields, ask] of HOSTS)
  check(`pki/matrix-${id}`, clause, title, { needs: ownMount }, (context) => matrix(context, nameCases.hosts, fields, ask, () => clause, 2))

const EMAILS: [id: string, title: string, fields: JsonObject, ask: Ask][] = [
  ['email-common-names', 'email addresses as common names follow the model of the policy', {}, commonName],
  ['email-names', 'email alternative names follow the model of the policy', unnamed, alternative],
  ['request-email', 'email names of requests follow the model', unnamed, signWith((name) => ({ email: [name] }))],
  ['sign-body-email', 'email addresses of the body of a signing request follow the model', bodyOnly, ofBody],
]
for (const [id, title, fields, ask] of EMAILS)
  check(`pki/matrix-${id}`, ['PKI-MATRIX-03', 'PKI-MATRIX-05'], title, { needs: ownMount }, (context) =>
    matrix(context, nameCases.emails, fields, ask, ({ stranger }, allowed) => (stranger && !allowed ? 'PKI-MATRIX-03' : 'PKI-MATRIX-05')),
  )
