/** Subject fields of a role show in its certificates. That a comma separates values is said of other operations: one value may hold both. */
import { check } from '../../../harness/checks/index.ts'
import { issue, openRole, ownMount, withRoot } from '../fixtures.ts'

for (const [field, clause, attribute, values] of [
  ['ou', 'PKI-OU-02', 'OU', ['Unit one', 'Unit two']],
  ['organization', 'PKI-ORG-02', 'O', ['Exämple & Søhne Ωμ', 'Example two']],
  ['country', 'PKI-COUNTRY-02', 'C', ['CH', 'FR']],
  ['locality', 'PKI-LOCALITY-02', 'L', ['Bern', 'Basel']],
  ['province', 'PKI-PROVINCE-02', 'ST', ['Bern', 'Basel-Land']],
  ['street_address', 'PKI-STREET-02', 'STREET', ['First Street 1', 'Second Street 2']],
  ['postal_code', 'PKI-POSTAL-02', 'postalCode', ['3000', '4000']],
] as const) {
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

check('pki/subject-serial-number', 'PKI-SERIAL-02', 'serial_number of the role is in the subject', { needs: ownMount }, async (context) => {
  const { bench, expect } = context
  await withRoot(bench)
  const made = await issue(context, await openRole(bench, { serial_number: 'SN-4711' }))
  expect(made.facts.subject.serialNumber).toEqual(['SN-4711'])
})
