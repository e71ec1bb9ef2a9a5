/** Certificates of a role with many users. */
import { check } from '../../../harness/checks/index.ts'
import { caFields, ownMount, roleWith, signed, userPair, withCa } from '../fixtures.ts'

check('ssh/many-principals', ['SSH-SIGN-19', 'SSH-SIGN-37'], 'each of many names, and all together', ownMount, async (context) => {
  const { bench, expect } = context
  await withCa(bench)
  const names = Array.from({ length: 40 }, (_, index) => `${'deploy-'.repeat(1 + (index % 4))}${index}`)
  const role = await roleWith(bench, caFields({ allowed_users: names.join(',') }))
  const principalsOf = async (valid_principals: string) =>
    (await signed(context, role, { public_key: userPair().publicKey, valid_principals })).certificate.principals.toSorted()
  await bench.decide('SSH-SIGN-19', async () => {
    for (const at of [0, 19, 20, 38, 39]) expect(await principalsOf(names[at]!)).toEqual([names[at]])
  })
  await bench.decide('SSH-SIGN-37', async () => expect(await principalsOf(names.join(','))).toEqual(names.toSorted()))
})
