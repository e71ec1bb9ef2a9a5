import { check } from '../../../harness/checks/index.ts'
import { otpFields, refusesCredential, roleWith } from '../fixtures.ts'

check('ssh/creds-unknown-role', 'SSH-CREDS-12', 'an unknown role issues nothing', async ({ bench }) => {
  const name = await roleWith(bench, otpFields())
  await bench.refuses('ssh.createCredential', {
    bad: { path: { name: bench.fresh('unknown') }, body: { ip: '10.1.2.3' } },
    control: { path: { name }, body: { ip: '10.1.2.3' } },
    unchanged: null,
    because: 'the role is absent',
    status: [400, 404],
  })
})

const GOOD = { ip: '10.1.2.3' }

check('ssh/creds-need-an-address', ['SSH-CREDS-10', 'SSH-CREDS-11'], 'credentials need an IP address', async ({ bench }) => {
  const name = await roleWith(bench, otpFields())
  await bench.decide('SSH-CREDS-10', async () => void (await refusesCredential(bench, name, { username: 'ubuntu' }, GOOD)))
  for (const ip of ['somewhere', '10.1.2', '10.1.2.256', '10.1.2.3/32', '10.1.2.3.4', '2001:db8:::1', 'fe80::g'])
    await bench.decide('SSH-CREDS-11', async () => void (await refusesCredential(bench, name, { ip }, GOOD)))
})

check('ssh/creds-objects', ['SSH-CREDS-14', 'SSH-CREDS-15'], 'objects are neither a user nor an address', async ({ bench }) => {
  const name = await roleWith(bench, otpFields())
  await bench.decide('SSH-CREDS-14', async () => void (await refusesCredential(bench, name, { ...GOOD, username: { a: 'b' } }, GOOD)))
  await bench.decide('SSH-CREDS-15', async () => void (await refusesCredential(bench, name, { ip: { a: '10.1.2.3' } }, GOOD)))
})
