/** Subject fields of roots and intermediates. */
import {
  type CheckContext,
  check,
  type Expect,
  type Json,
  type JsonObject,
  judgeCertificate,
  oneFormWorks,
} from '../../../harness/checks/index.ts'
import { emptyMounts, generateRoot, ownAuthority, ownMount, quickKey, signIntermediate, withUnlimited } from '../fixtures.ts'
import { longest, longName } from './longest.ts'

const fields = {
  ou: ['PKI-SUBJECT-01', 'OU', 'Unit'],
  organization: ['PKI-SUBJECT-02', 'O', 'Example'],
  country: ['PKI-SUBJECT-03', 'C', 'CH'],
  locality: ['PKI-SUBJECT-04', 'L', 'Bern'],
  province: ['PKI-SUBJECT-05', 'ST', 'Bern-Mittelland'],
  street_address: ['PKI-SUBJECT-06', 'STREET', 'Some Street 1'],
  postal_code: ['PKI-SUBJECT-07', 'postalCode', '3000'],
} as const

const body = Object.fromEntries(Object.entries(fields).map(([field, [, , value]]) => [field, value]))

check(
  'pki/root-subject',
  Object.values(fields).map(([clause]) => clause),
  'subject fields of a root are in its subject',
  { needs: ownAuthority },
  async (context) => {
    const { facts } = await generateRoot(context, body)
    for (const [clause, attribute, value] of Object.values(fields)) {
      await context.bench.decide(clause, () => context.expect(facts.subject[attribute]).toEqual([value]))
    }
  },
)

check(
  'pki/intermediate-subject',
  'PKI-INTER-15',
  'subject fields of an intermediate are in its subject',
  { needs: ownMount },
  async (context) => {
    await withUnlimited(context.bench)
    const { facts } = await signIntermediate(context, body)
    for (const [, attribute, value] of Object.values(fields)) context.expect(facts.subject[attribute]).toEqual([value])
  },
)

check(
  'pki/intermediate-subject-own',
  ['PKI-APART-01', 'PKI-INTER-21', 'PKI-INTER-24', 'PKI-INTER-26'],
  'an intermediate has no name of its CA, and no name or subject field of one that was signed before',
  { needs: ownAuthority },
  async (context) => {
    const { bench, expect } = context
    const names = { alt_names: 'root.example.com,root@example.com', ip_sans: '192.0.2.7' }
    await generateRoot(context, { ...body, ...names, ttl: '720h', max_path_length: 3 })
    const expectNone = async (when: string, asked: JsonObject = {}): Promise<string[]> => {
      const { facts } = await signIntermediate(context, asked)
      const given = Object.values(fields).flatMap(([, attribute]) => facts.subject[attribute] ?? [])
      await bench.decide('PKI-INTER-21', () => {
        expect(facts.dns, `host names, ${when}`).not.toContain('root.example.com')
        expect(facts.email, `addresses, ${when}`).not.toContain('root@example.com')
        expect(facts.ip, `IP addresses, ${when}`).not.toContain('192.0.2.7')
      })
      return given
    }
    const before = await expectNone('under a CA that has them all')
    bench.observe('PKI-INTER-26', { fields: before.length })
    const blank = Object.fromEntries(Object.keys(fields).map((field) => [field, '']))
    const sent = await expectNone('where the defaults are sent', blank)
    await bench.decide('PKI-INTER-24', () => expect(sent, 'subject fields where their defaults are sent').toEqual(before))
    await signIntermediate(context, { ...body, ...names })
    const after = await expectNone('after one that has them all')
    await bench.decide('PKI-APART-01', () => expect(after, 'subject fields, after one that has them all').toEqual(before))
  },
)

const two = (field: string): string[] => (field === 'country' ? ['CH', 'NL'] : ['First', 'Zweiter Ö'])
const LISTS = {
  'the text of a JSON array': (values: string[]) => JSON.stringify(values),
  'an array': (values: string[]) => values,
}
type Makes = (body: JsonObject) => Promise<Record<string, string[]>>

/** Asserts that a CA made with several values in these fields has each of them in its subject. */
const expectSeveral = async (
  expect: Expect,
  makes: Makes,
  spelt: (values: string[]) => Json,
  values = two,
  named = Object.keys(fields),
) => {
  const subject = await makes(Object.fromEntries(named.map((field) => [field, spelt(values(field))])))
  for (const [field, [, attribute]] of Object.entries(fields))
    if (named.includes(field)) expect([...(subject[attribute] ?? [])].sort(), field).toEqual(values(field))
}

const expectLists = (expect: Expect, makes: Makes, values = two, named = Object.keys(fields)): Promise<void> =>
  oneFormWorks(
    Object.fromEntries(Object.entries(LISTS).map(([form, spelt]) => [form, () => expectSeveral(expect, makes, spelt, values, named)])),
  )

const makesRoot =
  ({ bench, expect }: CheckContext): Makes =>
  async (several) => {
    const mount = await bench.mount('pki', { exclusive: true })
    const request = { common_name: bench.fresh('root'), ...quickKey, ...several }
    const answer = await bench.call('pki.generateRoot', { path: { type: 'internal' }, body: request, mount })
    expect(answer).toSucceed()
    return (await judgeCertificate(bench, String(answer.data.certificate))).subject
  }

check('pki/root-subject-several', 'PKI-SUBJECT-09', 'a subject field may hold several values', { needs: emptyMounts }, async (context) => {
  await expectSeveral(context.expect, makesRoot(context), (values) => values.join(','))
  await expectLists(context.expect, makesRoot(context))
})

check(
  'pki/intermediate-subject-several',
  'PKI-SUBJECT-09',
  'a subject field of an intermediate may hold several values',
  { needs: ownMount },
  async (context) => {
    await withUnlimited(context.bench)
    const makes: Makes = async (several) => (await signIntermediate(context, several)).facts.subject
    await expectSeveral(context.expect, makes, (values) => values.join(','))
    await expectLists(context.expect, makes)
  },
)

check(
  'pki/root-subject-commas',
  'PKI-SUBJECT-09',
  'an element of a JSON array is one value, commas and all',
  { needs: emptyMounts },
  async (context) => {
    const texts = Object.keys(fields).filter((field) => field !== 'country')
    await expectLists(context.expect, makesRoot(context), () => ['Acme, Inc.', 'Second'], texts)
  },
)

check('pki/root-subject-serial', 'PKI-SUBJECT-08', 'a requested serial number shows', { needs: ownAuthority }, async (context) => {
  const { facts } = await generateRoot(context, { serial_number: '4711' })
  const places = [facts.subject.serialNumber?.[0], facts.serial, String(Number.parseInt(facts.serial, 16))]
  context.expect(places, 'the subject attribute, and the serial number as it is and as a decimal').toContain('4711')
})

check(
  'pki/root-serial-random',
  ['PKI-SUBJECT-10', 'PKI-SUBJECT-11'],
  'serial numbers of roots are random',
  { needs: emptyMounts },
  async (context) => {
    const { bench, expect } = context
    const first = await generateRoot(context, { common_name: 'Same Name' })
    const mount = await bench.mount('pki', { exclusive: true })
    const request = { common_name: 'Same Name', key_type: 'ec', key_bits: 256 }
    const second = await bench.given('pki.generateRoot', { path: { type: 'internal' }, body: request, mount })
    const both = [first.facts, await judgeCertificate(bench, String(second.data.certificate))]
    await bench.decide('PKI-SUBJECT-10', () => {
      const numbers = both.map(({ serial, subject }) => `${serial} ${subject.serialNumber ?? ''}`)
      expect(new Set(numbers).size, 'numbers of two roots').toBe(2)
    })
    // Of 64 random bits the first may well be zeros.
    await bench.decide('PKI-SUBJECT-11', () => {
      for (const { serial } of both) expect(serial.replace(/^0+/, '').length, 'hexadecimal digits').toBeGreaterThanOrEqual(10)
    })
  },
)

const longBody = Object.fromEntries(Object.entries(longest).map(([field, { value }]) => [field, value]))

check(
  'pki/authority-subject-longest',
  [...Object.values(longest).map(({ ofRoots }) => ofRoots), 'PKI-ROOT-19', 'PKI-INTER-05', 'PKI-INTER-12', 'PKI-INTER-15'],
  'common names and subject fields of a CA that are as long as a subject may hold are in it whole',
  { needs: ownAuthority },
  async (context) => {
    const { bench, expect } = context
    await withUnlimited(bench)
    await bench.decide('PKI-INTER-05', async () => {
      const name = longName(bench.fresh('below'))
      expect((await signIntermediate(context, { common_name: name })).facts.subject.CN, 'the name of the CA below').toEqual([name])
    })
    await bench.decide('PKI-INTER-12', async () => {
      const name = longName(bench.fresh('request'))
      const request = { commonName: name, subject: { O: longest.organization.value, OU: longest.ou.value } }
      const { subject } = (await signIntermediate(context, { use_csr_values: true, common_name: name }, request)).facts
      expect([subject.CN, subject.O, subject.OU]).toEqual([[name], [request.subject.O], [request.subject.OU]])
    })
    await bench.decide('PKI-INTER-15', async () => {
      const { facts } = await signIntermediate(context, longBody)
      for (const [field, { attribute, value }] of Object.entries(longest)) expect(facts.subject[attribute], field).toEqual([value])
    })
    // In a request of its own, so that a refusal tells the name from the fields.
    await bench.decide('PKI-ROOT-19', async () => {
      const name = longName(bench.fresh('root'))
      expect((await generateRoot(context, { common_name: name })).facts.subject.CN, 'the name of the root').toEqual([name])
    })
    const { facts } = await generateRoot(context, longBody)
    for (const [field, { ofRoots, attribute, value }] of Object.entries(longest))
      await bench.decide(ofRoots, () => expect(facts.subject[attribute], field).toEqual([value]))
  },
)
