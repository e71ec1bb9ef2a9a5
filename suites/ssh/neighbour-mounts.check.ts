/** Two mounts of the engine, beside one another or at the same path of two namespaces: what happens in one never shows in the other. */
import { apart, type Bench, type CheckContext, type JsonObject, textsIn, type View } from '../../harness/checks/index.ts'
import { pairBody } from './ca/ca-pair.ts'
import { caFields, otpFields, roleWith, withCa } from './fixtures.ts'
import { gives, INSIDE, issue, OUTSIDE, passwords, signs, zeroList } from './neighbour-views.ts'
import { rsaPair } from './rsa-keys.ts'

const EXCLUDED = '10.9.1.1'

/** The names that both mounts have, for other things each. */
interface Names {
  ca: string
  otp: string
  free: string
  key: string
  dynamic: string
}

const fill = async (bench: Bench, mount: string): Promise<Names> => {
  await withCa(bench, rsaPair('ca'), mount)
  const key = bench.mixedName('key')
  await bench.given('ssh.writeKey', { path: { name: key }, body: { key: rsaPair('user2048').privateKey }, mount })
  const cut = { exclude_cidr_list: '10.9.0.0/16' }
  const names = {
    ca: await roleWith(bench, caFields({ default_extensions: { 'permit-pty': '' } }), mount),
    otp: await roleWith(bench, otpFields(cut), mount),
    free: await roleWith(bench, otpFields(cut), mount),
    key,
    dynamic: await roleWith(bench, otpFields({ key_type: 'dynamic', key, admin_user: 'root' }), mount),
  }
  await bench.given('ssh.writeZeroAddress', { body: { roles: names.free }, mount })
  return names
}

const LOOKS = 14

const viewsOf = async (bench: Bench, names: Names, mount: string): Promise<Record<string, View>> => {
  const data = (operation: string, input: JsonObject = {}) => {
    return async () => (await bench.call(operation, { ...input, mount })).data
  }
  return {
    CA: data('ssh.readCa'),
    'CA at public_key': async () => (await bench.call('ssh.readPublicKey', { as: 'none', mount })).text,
    'ca role': data('ssh.readRole', { path: { name: names.ca } }),
    'otp role': data('ssh.readRole', { path: { name: names.otp } }),
    'zero-address role': data('ssh.readRole', { path: { name: names.free } }),
    'dynamic role': data('ssh.readRole', { path: { name: names.dynamic } }),
    listing: async () => {
      const { keys, key_info } = await data('ssh.listRoles')()
      return { keys: textsIn(keys).sort(), key_info: key_info ?? null }
    },
    'zero-address list': zeroList(bench, mount),
    lookup: async () => textsIn((await data('ssh.lookupRoles', { body: { ip: INSIDE } })()).roles).sort(),
    signature: signs(bench, names.ca, 'ubuntu', mount),
    'otp role inside its blocks': gives(bench, names.otp, INSIDE, mount),
    'otp role outside its blocks': gives(bench, names.otp, OUTSIDE, mount),
    'otp role in what it excludes': gives(bench, names.otp, EXCLUDED, mount),
    'zero-address role outside its blocks': gives(bench, names.free, OUTSIDE, mount),
    passwords: await passwords(bench, names.otp, LOOKS, mount),
  }
}

/** All that can be done in the other mount, to things of the same names. */
const stepsIn = (bench: Bench, { ca, otp, free, key, dynamic }: Names, mount: string) => {
  const role = (name: string, body: JsonObject) => () => bench.given('ssh.writeRole', { path: { name }, body, mount })
  const remove = (name: string) => () => bench.given('ssh.deleteRole', { path: { name }, mount })
  return [
    { what: 'after the other got a CA', run: () => bench.given('ssh.writeCa', { body: pairBody(rsaPair('caOther')), mount }) },
    { what: 'after the other got a ca role of that name', run: role(ca, caFields({ ttl: '1m', allowed_users: 'root' })) },
    { what: 'after the other got an otp role of that name', run: role(otp, otpFields({ cidr_list: '172.16.0.0/12', port: 2222 })) },
    { what: 'after the other got a role of its own', run: role(bench.mixedName('role'), otpFields()) },
    {
      what: 'after the other listed the otp role as a zero-address role',
      run: () => bench.given('ssh.writeZeroAddress', { body: { roles: otp }, mount }),
    },
    {
      what: 'after a password of the other was issued and used, and another refused',
      async run() {
        const { data } = await issue(bench, otp, OUTSIDE, mount)
        for (const password of [String(data.key), String(data.key), bench.canary('other')])
          await bench.call('ssh.verifyOtp', { body: { otp: password }, as: 'none', mount })
      },
    },
    { what: 'after the other lost its zero-address list', run: () => bench.given('ssh.deleteZeroAddress', { mount }) },
    {
      what: 'after the other got a key of that name, and lost it',
      async run() {
        await bench.given('ssh.writeKey', { path: { name: key }, body: { key: rsaPair('user3072').privateKey }, mount })
        await bench.given('ssh.deleteKey', { path: { name: key }, mount })
      },
    },
    {
      what: 'after the other got roles of the other names',
      run: () => Promise.all([role(free, otpFields())(), role(dynamic, otpFields())()]),
    },
    {
      what: 'after the other lost its roles of these names',
      run: () => Promise.all([ca, otp, free, dynamic].map((name) => remove(name)())),
    },
    { what: 'after the other lost its CA', run: () => bench.given('ssh.deleteCa', { mount }) },
  ]
}

/** Where the other mount is: beside the first, or at the same path in another namespace. */
const PLACES = [
  { id: 'ssh/neighbours-mounts', about: 'mount', features: ['mounts'], other: (bench: Bench) => bench.mount('ssh') },
  {
    id: 'ssh/neighbours-namespaces',
    about: 'namespace',
    features: ['mounts', 'namespaces'],
    other: async (bench: Bench, here: string) => bench.mount('ssh', { namespace: await bench.namespace(), path: bench.mountPath(here) }),
  },
] as const

for (const { id, about, features, other } of PLACES)
  apart(
    id,
    'SSH-APART-01',
    `what happens in one ${about} does not show in another`,
    { needs: { features: [...features] } },
    async ({ bench }: CheckContext) => {
      const here = await bench.mount('ssh')
      const there = await other(bench, here)
      const names = await fill(bench, here)
      const atFirst = {
        'otp role inside its blocks': true,
        'otp role outside its blocks': false,
        'otp role in what it excludes': false,
        'zero-address role outside its blocks': true,
        'zero-address list': [names.free],
        passwords: { ip: INSIDE, username: 'ubuntu' },
      }
      return { views: await viewsOf(bench, names, here), atFirst, steps: stepsIn(bench, names, there) }
    },
  )
