/** Definitions of one name in two mounts: each mount codes by its own, whichever was written last. */
import { type Bench, type CheckOptions, check, type JsonObject } from '../../../harness/checks/index.ts'
import { DIGITS, newScheme, newTweak, newValue, using } from '../fixtures.ts'

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
      const back = await beside.decode(await beside.encoded(other))
      expect(back.data.decoded_value === other, 'the value of the other mount came back').toBe(true)
      await bench.given('transform.writeAlphabet', { path: { name: alphabet }, body: { alphabet: DIGITS }, mount: here })
      const after = await beside.decode(await beside.encoded(other))
      expect(after.data.decoded_value === other, 'and after this alphabet was written once more').toBe(true)
      await same('after its alphabet was written once more')
    },
  )
