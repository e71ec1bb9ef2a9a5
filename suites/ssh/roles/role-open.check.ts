/** What the document leaves open about roles. */
import { check } from '../../../harness/checks/index.ts'
import { caFields, otpFields, roleRead, roleWith } from '../fixtures.ts'

check('ssh/role-open', 'SSH-ROLE-11', 'deleting an unknown role', async ({ bench }) => {
  bench.observe('SSH-ROLE-11', (await bench.call('ssh.deleteRole', { path: { name: bench.fresh('none') }, observing: true })).status)
})

check('ssh/role-update-omits', 'SSH-ROLE-13', 'an update that leaves a field out', async ({ bench }) => {
  const name = await roleWith(bench, otpFields({ port: 2222 }))
  await bench.call('ssh.writeRole', { path: { name }, body: otpFields(), observing: true })
  bench.observe('SSH-ROLE-13', { port: (await roleRead(bench, name)()).port ?? null })
})

check('ssh/role-changes-kind', 'SSH-ROLE-15', 'an update to another kind of role', async ({ bench }) => {
  const name = await roleWith(bench, otpFields())
  const { status } = await bench.call('ssh.writeRole', { path: { name }, body: caFields(), observing: true })
  bench.observe('SSH-ROLE-15', { status, key_type: (await roleRead(bench, name)()).key_type ?? null })
})

check('ssh/role-ttl-in-days', 'SSH-TTL-08', 'durations in days', async ({ bench }) => {
  const body = caFields({ ttl: '1d', max_ttl: '2d' })
  bench.observe(
    'SSH-TTL-08',
    (await bench.call('ssh.writeRole', { path: { name: bench.mixedName('days') }, body, observing: true })).status,
  )
})
