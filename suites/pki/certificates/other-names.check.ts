/** Alternative names of other kinds, by OID and type. */
import { type CheckContext, check, type JsonObject, oneFormWorks } from '../../../harness/checks/index.ts'
import { denied, issue, openRole, ownMount, WAYS, withRoot } from '../fixtures.ts'

const cn = { common_name: 'www.example.com' }
const UPN = '1.3.6.1.4.1.311.20.2.3'
const OTHER = '1.3.6.1.4.1.99999.3'

const roleWith = async (context: CheckContext, fields: JsonObject): Promise<string> => {
  await withRoot(context.bench)
  return openRole(context.bench, fields)
}

const other = (text: string): JsonObject => ({ ...cn, other_sans: text })

check('pki/other-names-default', 'PKI-OTHERSANS-01', 'without a list no other name is allowed', { needs: ownMount }, async (context) => {
  await denied(context.bench, await roleWith(context, {}), other(`${UPN};UTF8:someone`), cn)
})
check('pki/other-names', 'PKI-OTHERSANS-02', 'a listed other name is in the certificate', { needs: ownMount }, async (context) => {
  const role = await roleWith(context, { allowed_other_sans: `${UPN};UTF8:someone` })
  const { facts } = await issue(context, role, other(`${UPN};UTF8:someone`))
  context.expect(facts.other).toEqual([{ oid: UPN, value: 'someone', utf8: true }])
})
check('pki/other-names-any-value', 'PKI-OTHERSANS-03', 'a star allows any value of its OID only', { needs: ownMount }, async (context) => {
  const role = await roleWith(context, { allowed_other_sans: `${UPN};UTF8:*` })
  const { facts } = await issue(context, role, other(`${UPN};UTF8:anyone at all`))
  context.expect(facts.other.map(({ value }) => value)).toEqual(['anyone at all'])
  for (const oid of [OTHER, `${UPN}.1`, `${UPN}3`, UPN.slice(0, -2), UPN.replace('311.20', '311020')])
    await denied(context.bench, role, other(`${oid};UTF8:anyone`), other(`${UPN};UTF8:anyone`))
})
check('pki/other-names-any', 'PKI-OTHERSANS-04', 'a single star allows any other name', { needs: ownMount }, async (context) => {
  const role = await roleWith(context, { allowed_other_sans: '*' })
  const { facts } = await issue(context, role, other(`${OTHER};UTF8:value`))
  context.expect(facts.other).toEqual([{ oid: OTHER, value: 'value', utf8: true }])
})
check(
  'pki/other-names-outside',
  'PKI-OTHERSANS-05',
  'an other name outside the list denies the request',
  { needs: ownMount },
  async (context) => {
    const fields = { use_csr_sans: false }
    const role = await roleWith(context, { ...fields, allowed_other_sans: `${UPN};UTF8:some.one` })
    const two = await roleWith(context, { ...fields, allowed_other_sans: `${UPN};UTF8:someone,${OTHER};UTF8:else` })
    for (const way of WAYS) {
      for (const bad of [`${UPN};UTF8:some.one else`, `${UPN};UTF8:someXone`, `${UPN};UTF8:some.one,${OTHER};UTF8:x`])
        await denied(context.bench, role, other(bad), other(`${UPN};UTF8:some.one`), way)
      for (const mixed of [`${UPN};UTF8:else`, `${OTHER};UTF8:someone`])
        await denied(context.bench, two, other(mixed), other(`${UPN};UTF8:someone,${OTHER};UTF8:else`), way)
    }
  },
)
check('pki/other-names-type', 'PKI-OTHERSANS-06', 'another type than UTF8 is refused', { needs: ownMount }, async (context) => {
  const role = await roleWith(context, { allowed_other_sans: '*' })
  for (const type of ['BMP', 'IA5', 'PRINTABLE']) await denied(context.bench, role, other(`${UPN};${type}:a`), other(`${UPN};UTF8:a`))
})
check('pki/other-names-malformed', 'PKI-OTHERSANS-07', 'malformed other names are refused', { needs: ownMount }, async (context) => {
  const role = await roleWith(context, { allowed_other_sans: '*' })
  for (const text of ['1.x.3;UTF8:a', 'no shape at all', ';UTF8:a', `${UPN}:a`]) {
    await denied(context.bench, role, other(text), other(`${UPN};UTF8:a`))
  }
})
check('pki/other-names-spelling', 'PKI-OTHERSANS-08', 'entries of roles may spell the type UTF-8', { needs: ownMount }, async (context) => {
  for (const type of ['UTF8', 'UTF-8']) {
    const role = await roleWith(context, { allowed_other_sans: `${UPN};${type}:someone` })
    const { facts } = await issue(context, role, other(`${UPN};UTF8:someone`))
    context.expect(facts.other).toHaveLength(1)
  }
})

const BOTH = [`${UPN};UTF8:one`, `${OTHER};UTF8:two`]

const certified = async (context: CheckContext, role: string, other_sans: string | string[], wanted: string[]): Promise<void> => {
  const { facts } = await issue(context, role, { ...cn, other_sans })
  context.expect(facts.other.map(({ oid, value }) => `${oid};UTF8:${value}`).sort()).toEqual([...wanted].sort())
}

check(
  'pki/other-names-several',
  'PKI-OTHERSANS-09',
  'several other names are given comma-delimited',
  { needs: ownMount },
  async (context) => certified(context, await roleWith(context, { allowed_other_sans: '*' }), BOTH.join(','), BOTH),
)

const asList = async (context: CheckContext, names: string[]): Promise<void> => {
  const role = await roleWith(context, { allowed_other_sans: '*' })
  await oneFormWorks({
    'the text of a JSON list': () => certified(context, role, JSON.stringify(names), names),
    'an array': () => certified(context, role, names, names),
  })
}

check('pki/other-names-list', 'PKI-OTHERSANS-10', 'several other names are given as a JSON list', { needs: ownMount }, (context) =>
  asList(context, BOTH),
)

// Only in a list whose values are quoted can one hold what separates others.
check(
  'pki/other-names-quoted',
  'PKI-OTHERSANS-10',
  'in a JSON list a value may hold commas, brackets and quotes',
  { needs: ownMount },
  (context) => asList(context, [`${UPN};UTF8:Doe, Jane`, `${UPN};UTF8:a "b" [c]`]),
)
