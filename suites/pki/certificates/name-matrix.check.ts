/** Names against all combinations of a role's attributes, held to a model of the policy. */
import { type Answer, type Bench, type CheckContext, certificateRequest, check, type JsonObject } from '../../../harness/checks/index.ts'
import { newRole, ownMount, withRoot } from '../fixtures.ts'
import { allRoles, LISTED, type NameAttributes, type NameCase, nameCases, pairwiseRoles } from './policy-model.ts'

type Ask = (bench: Bench, role: string, name: string) => Promise<Answer>

const matrix = async ({ bench, expect }: CheckContext, cases: NameCase[], fields: JsonObject, ask: Ask): Promise<void> => {
  await withRoot(bench)
  const pick = <T>(candidates: readonly T[]): T => bench.random.pick(candidates)
  const roles: NameAttributes[] = bench.effort(pairwiseRoles(pick), pairwiseRoles(pick), allRoles())
  for (const attributes of roles) {
    const role = await newRole(bench, { allowed_domains: LISTED, ...attributes, ...fields })
    for (const { name, allowed } of cases) {
      const verdict = allowed(attributes)
      if (verdict === 'silent') continue
      const answer = await ask(bench, role, name)
      const because = `${name} under ${JSON.stringify(attributes)}`
      if (verdict) expect(answer, because).toSucceed()
      else expect(answer, because).toBeRefused()
    }
  }
}

const issueWith =
  (body: (name: string) => JsonObject): Ask =>
  (bench, role, name) =>
    bench.call('pki.issue', { path: { name: role }, body: body(name) })

check('pki/matrix-common-name', 'PKI-MATRIX-01', 'common names follow the model of the policy', { needs: ownMount }, (context) =>
  matrix(
    context,
    [...nameCases.hosts, ...nameCases.emails],
    {},
    issueWith((name) => ({ common_name: name })),
  ),
)
check('pki/matrix-dns-names', 'PKI-MATRIX-02', 'DNS alternative names follow the model of the policy', { needs: ownMount }, (context) =>
  matrix(
    context,
    nameCases.hosts,
    { require_cn: false },
    issueWith((name) => ({ alt_names: name })),
  ),
)
check('pki/matrix-email-names', 'PKI-MATRIX-03', 'email alternative names follow the model of the policy', { needs: ownMount }, (context) =>
  matrix(
    context,
    nameCases.emails,
    { require_cn: false },
    issueWith((name) => ({ alt_names: name })),
  ),
)

const signWith =
  (request: (name: string) => Parameters<typeof certificateRequest>[0], body: (name: string) => JsonObject = () => ({})): Ask =>
  async (bench, role, name) =>
    bench.call('pki.sign', { path: { name: role }, body: { csr: await certificateRequest(request(name)), ...body(name) } })

check('pki/matrix-request-common-name', 'PKI-MATRIX-04', 'common names of requests follow the model', { needs: ownMount }, (context) =>
  matrix(
    context,
    [...nameCases.hosts, ...nameCases.emails],
    {},
    signWith((name) => ({ commonName: name })),
  ),
)
check('pki/matrix-request-dns', 'PKI-MATRIX-04', 'DNS names of requests follow the model', { needs: ownMount }, (context) =>
  matrix(
    context,
    nameCases.hosts,
    { require_cn: false },
    signWith((name) => ({ dns: [name] })),
  ),
)
check('pki/matrix-request-email', 'PKI-MATRIX-04', 'email names of requests follow the model', { needs: ownMount }, (context) =>
  matrix(
    context,
    nameCases.emails,
    { require_cn: false },
    signWith((name) => ({ email: [name] })),
  ),
)
check('pki/matrix-sign-body', 'PKI-MATRIX-04', 'names of the body of a signing request follow the model', { needs: ownMount }, (context) =>
  matrix(
    context,
    [...nameCases.hosts, ...nameCases.emails],
    { use_csr_common_name: false, use_csr_sans: false },
    signWith(
      () => ({ commonName: 'ignored.invalid', dns: ['ignored.invalid'] }),
      (name) => ({ common_name: name, alt_names: name }),
    ),
  ),
)
