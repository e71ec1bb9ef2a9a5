/** Subject fields of a role show in its certificates. That a comma separates values is said of other operations: one value may hold both. */
import { type CertificateFacts, type CheckContext, check } from '../../../harness/checks/index.ts'
import { longest } from '../authority/longest.ts'
import { issue, openRole, ownMount, quickKey, withRoot } from '../fixtures.ts'

const FIELDS = [
  ['ou', 'PKI-OU-02', 'OU', ['Unit one', 'Unit two']],
  ['organization', 'PKI-ORG-02', 'O', ['Exämple & Søhne Ωμ', 'Example two']],
  ['country', 'PKI-COUNTRY-02', 'C', ['CH', 'FR']],
  ['locality', 'PKI-LOCALITY-02', 'L', ['Bern', 'Basel']],
  ['province', 'PKI-PROVINCE-02', 'ST', ['Bern', 'Basel-Land']],
  ['street_address', 'PKI-STREET-02', 'STREET', ['First Street 1', 'Second Street 2']],
  ['postal_code', 'PKI-POSTAL-02', 'postalCode', ['3000', '4000']],
] as const

for (const [field, clause, attribute, values] of FIELDS) {
  check(
    `pki/subject-${field.replaceAll('_', '-')}`,
    clause,
    `${field} of the role is in the subject`,
    { needs: ownMount },
    async (context) => {
      const { bench, expect } = context
      await withRoot(bench)
      const single = await issue(context, await openRole(bench, { [field]: values[0] }))
      expect(single.facts.subject[attribute]).toEqual([values[0]])
      // As one country the two would be no country code.
      if (field === 'country') return
      const several = await issue(context, await openRole(bench, { [field]: values.join(',') }))
      const shown = (several.facts.subject[attribute] ?? []).flatMap((value) => value.split(','))
      expect(shown.sort()).toEqual([...values].sort())
    },
  )
}

/** The subject of a certificate of a new role with this field. */
const subjectBy = async (context: CheckContext, field: string, value: string): Promise<CertificateFacts['subject']> => {
  const { bench, expect } = context
  const name = bench.fresh('role')
  const body = { allow_any_name: true, ttl: '1h', ...quickKey, [field]: value }
  // A role that is refused breaks what is said of the field: it is more than preparation.
  expect(await bench.call('pki.writeRole', { path: { name }, body }), field).toSucceed()
  return (await issue(context, name)).facts.subject
}

check('pki/subject-serial-number', 'PKI-SERIAL-02', 'serial_number of the role is in the subject', { needs: ownMount }, async (context) => {
  const { bench, expect } = context
  await withRoot(bench)
  // The second is as long as the attribute may be.
  for (const serial of ['SN-4711', 'SN-4711'.padEnd(64, '0')])
    expect((await subjectBy(context, 'serial_number', serial)).serialNumber).toEqual([serial])
})

check(
  'pki/subject-of-all-fields',
  [...FIELDS.map(([, clause]) => clause), 'PKI-SERIAL-02'],
  'a role with several fields of a subject has each in its place',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    await withRoot(bench)
    const all: (readonly [field: string, clause: string, attribute: string, value: string])[] = [
      ...FIELDS.map(([field, clause, attribute, [, value]]) => [field, clause, attribute, value] as const),
      ['serial_number', 'PKI-SERIAL-02', 'serialNumber', 'SN-4712'],
    ]
    // Every field, and every second one.
    for (const given of [all, all.filter((_, index) => index % 2 === 0), all.filter((_, index) => index % 2 === 1)]) {
      const { facts } = await issue(context, await openRole(bench, Object.fromEntries(given.map(([field, , , value]) => [field, value]))))
      for (const [field, clause, attribute, value] of given)
        await bench.decide(clause, () => expect(facts.subject[attribute] ?? [], `${field}, of ${given.length} fields`).toEqual([value]))
    }
  },
)

check(
  'pki/subject-longest',
  Object.values(longest).map(({ clause }) => clause),
  'a field of the role that is as long as a subject may hold is in the subject whole',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    await withRoot(bench)
    for (const [field, { clause, attribute, value }] of Object.entries(longest))
      await bench.decide(clause, async () => expect((await subjectBy(context, field, value))[attribute], field).toEqual([value]))
  },
)
