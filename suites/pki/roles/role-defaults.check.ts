/** A role that is written without a field shows the field's default. */
import { check } from '../../../harness/checks/index.ts'
import { ownMount } from '../fixtures.ts'
import { comparable, roleFields } from './role-fields.ts'

for (const field of roleFields) {
  check(
    `pki/default-${field.name.replaceAll('_', '-')}`,
    field.clause,
    `${field.name} has its default`,
    { needs: ownMount },
    async ({ bench, expect }) => {
      const name = bench.mixedName('role')
      await bench.given('pki.writeRole', { path: { name }, body: {} })
      const read = await bench.given('pki.readRole', { path: { name } })
      expect(read.data).toHaveProperty(field.name)
      // A list that is empty is a list.
      if (field.kind === 'list') expect(Array.isArray(read.data[field.name]), 'whether it is a list').toBe(true)
      expect(comparable(field, read.data[field.name])).toEqual(comparable(field, field.default))
    },
  )
}
