/** Definitions of one name in two mounts: each mount codes by its own, whichever was written last. */
import { type Bench, type CheckOptions, check, type JsonObject } from '../../../harness/checks/index.ts'
import { DIGITS, newScheme, newTemplate, newTweak, newValue, using } from '../fixtures.ts'
import { asking, newText } from '../tokens/fixtures.ts'

const LETTERS = 'abcdefghijklmnop'

/** Where what has the same names is: another mount, or the mount at the same path in another namespace. */
const ELSEWHERE: { about: string; needs: CheckOptions['needs']; mount(bench: Bench, here: string): Promise<string> }[] = [
  { about: 'mount', needs: { features: ['mounts'] }, mount: (bench) => bench.mount('transform') },
  {
    about: 'namespace',
    needs: { features: ['mounts', 'namespaces'] },
    mount: async (bench, here) => bench.mount('transform', { namespace: await bench.namespace(), path: bench.mountPath(here) }),
  },
]

for (const { about, needs, mount } of ELSEWHERE)
  check(
    `transform/namesakes-code-in-another-${about}`,
    'TRANSFORM-APART-01',
    `what has the name of another in another ${about} changes no coding there`,
    { needs },
    async ({ bench, expect }) => {
      const here = await bench.mount('transform')
      const there = await mount(bench, here)
      const scheme = await newScheme(bench, 'fpe', { mount: here })
      const template = await bench.given('transform.readTemplate', { path: { name: scheme.template }, mount: here })
      const alphabet = String(template.data.alphabet)
      const value = newValue(bench, DIGITS, 16)
      const encoded = await scheme.encoded(value)
      const same = async (what: string): Promise<void> => {
        const [again, decoded] = [await scheme.encode(value), await scheme.decode(encoded)]
        expect(again.data.encoded_value === encoded, `encoded as before, ${what}`).toBe(true)
        expect(decoded.data.decoded_value === value, `the value came back, ${what}`).toBe(true)
      }
      const writes: [operation: string, name: string, body: JsonObject][] = [
        ['transform.writeAlphabet', alphabet, { alphabet: LETTERS }],
        ['transform.writeTemplate', scheme.template, { type: 'regex', pattern: '([a-p]+)', alphabet }],
        ['transform.writeFpe', scheme.name, { template: scheme.template, tweak_source: 'supplied', allowed_roles: [scheme.role] }],
        ['transform.writeRole', scheme.role, { transformations: [scheme.name] }],
      ]
      for (const [operation, name, body] of writes) {
        await bench.given(operation, { path: { name }, body, mount: there })
        await same(`after ${operation} in the other mount`)
      }
      const beside = using(bench, scheme.role, scheme.name, newTweak(bench), there)
      const other = newValue(bench, LETTERS, 16)
      const thereAndBack = async (when: string): Promise<void> => {
        const coded = await beside.encode(other)
        expect(coded, `encoding by the other mount, ${when}`).toSucceed()
        const back = await beside.decode(String(coded.data.encoded_value))
        expect(back.data.decoded_value === other, `the value of the other mount came back, ${when}`).toBe(true)
      }
      await thereAndBack('once all of it is there')
      await bench.given('transform.writeAlphabet', { path: { name: alphabet }, body: { alphabet: DIGITS }, mount: here })
      await thereAndBack('after this alphabet was written once more')
      await same('after its alphabet was written once more')
    },
  )

for (const { about, needs, mount } of ELSEWHERE) {
  check(
    `transform/namesakes-tokens-in-another-${about}`,
    ['TRANSFORM-TOKEN-04', 'TRANSFORM-VALIDATE-02', 'TRANSFORM-TOKENIZED-03', 'TRANSFORM-METADATA-06'],
    `tokens of one ${about} are none of a transformation of the same name in another`,
    { kind: 'security', needs },
    async ({ bench, expect }) => {
      const here = await bench.mount('transform')
      const there = await mount(bench, here)
      const [role, name] = [bench.mixedName('role'), bench.mixedName('tokens')]
      for (const at of [here, there]) {
        await bench.given('transform.writeTokenization', { path: { name }, body: { allowed_roles: [role] }, mount: at })
        await bench.given('transform.writeRole', { path: { name: role }, body: { transformations: [name] }, mount: at })
      }
      const [own, other] = [asking(bench, role, name, here), asking(bench, role, name, there)]
      for (const [asked, beside] of [
        [own, other],
        [other, own],
      ] as const) {
        const [value, metadata] = [newText(bench), `owner=${bench.fresh('owner')}`]
        const token = await asked.token(value, { metadata, ttl: '1h' })
        const answers = {
          decode: await beside.decode(token),
          validate: await beside.validate(token),
          tokenized: await beside.tokenized(value),
          metadata: await beside.metadata(token),
        }
        await bench.decide('TRANSFORM-TOKEN-04', () => {
          expect(answers.decode.ok, 'decoded elsewhere').toBe(false)
          expect(answers.decode.text.includes(value), 'the value elsewhere').toBe(false)
        })
        await bench.decide('TRANSFORM-VALIDATE-02', () => expect(answers.validate.data.valid ?? false, 'valid elsewhere').toBe(false))
        await bench.decide('TRANSFORM-TOKENIZED-03', () => expect(answers.tokenized.data.tokenized, 'tokenized elsewhere').toBe(false))
        await bench.decide('TRANSFORM-METADATA-06', () =>
          expect(answers.metadata.text.includes(metadata), 'metadata elsewhere').toBe(false),
        )
        const back = await asked.decode(token)
        await bench.decide('TRANSFORM-TOKEN-04', () => expect(back.data.decoded_value === value, 'the value where it belongs').toBe(true))
      }
    },
  )

  check(
    `transform/namesakes-mask-in-another-${about}`,
    'TRANSFORM-APART-01',
    `a mask that has the name of another in another ${about} changes no masking there`,
    { needs },
    async ({ bench, expect }) => {
      const here = await bench.mount('transform')
      const there = await mount(bench, here)
      const scheme = await newScheme(bench, 'masking', { mount: here })
      const template = await newTemplate(bench, DIGITS, '[0-9]{8}([0-9]{8})', there)
      const body = { template, masking_character: '#', allowed_roles: [scheme.role] }
      await bench.given('transform.writeMasking', { path: { name: scheme.name }, body, mount: there })
      await bench.given('transform.writeRole', { path: { name: scheme.role }, body: { transformations: [scheme.name] }, mount: there })
      const beside = using(bench, scheme.role, scheme.name, undefined, there)
      const value = newValue(bench, DIGITS, 16)
      for (const when of ['once both are there', 'after the other one was used']) {
        expect((await scheme.encode(value)).data.encoded_value, `masked here, ${when}`).toBe('*'.repeat(16))
        expect((await beside.encode(value)).data.encoded_value, `masked there, ${when}`).toBe(`${value.slice(0, 8)}${'#'.repeat(8)}`)
      }
      await bench.given('transform.deleteRole', { path: { name: scheme.role }, mount: there })
      await bench.given('transform.deleteTransformation', { path: { name: scheme.name }, mount: there })
      expect((await scheme.encode(value)).data.encoded_value, 'masked here, after the deletion there').toBe('*'.repeat(16))
      expect(await beside.encode(value), 'masking there, after the deletion').toBeRefused()
    },
  )
}
