/** Requests to one role by turns: each certificate carries what its own request and the role say, and nothing of the requests before it. */
import { check, type JsonObject } from '../../../harness/checks/index.ts'
import { caFields, ownMount, roleRead, roleWith, signed, withCa } from '../fixtures.ts'
import { FORCED, optionRequest, SOURCE } from './options.ts'

const PTY = { 'permit-pty': '' }
const FORWARD = { 'permit-port-forwarding': '' }

/** What requests name, one after another: nothing is asked first, last and after each kind of request. */
const TURNS: JsonObject[] = [
  {},
  { extensions: FORWARD },
  {},
  { critical_options: FORCED },
  {},
  { critical_options: SOURCE, extensions: { ...PTY, ...FORWARD } },
  { extensions: PTY },
  { critical_options: FORCED },
  {},
]

check(
  'ssh/requests-in-turn',
  ['SSH-DEFEXT-01', 'SSH-DEFEXT-02', 'SSH-DEFCRIT-01', 'SSH-DEFCRIT-02', 'SSH-DEFCRIT-04'],
  'a certificate carries nothing of the requests before it, and the role stays as it is',
  ownMount,
  async (context) => {
    const { bench, expect } = context
    await withCa(bench)
    for (const isBare of [true, false]) {
      const [default_extensions, default_critical_options]: JsonObject[] = isBare ? [{}, {}] : [PTY, SOURCE]
      const defaults = { default_extensions: default_extensions!, default_critical_options: default_critical_options! }
      const fields = caFields({ allowed_extensions: '*', ...(isBare ? {} : defaults) })
      const [role, beside] = [await roleWith(bench, fields), await roleWith(bench, fields)]
      const before = await roleRead(bench, role)()
      for (const asked of TURNS) {
        const words = `a request for ${JSON.stringify(asked)}, after others`
        for (const one of [role, beside]) {
          const { certificate } = await signed(context, one, optionRequest(asked))
          await bench.decide(asked.extensions === undefined ? 'SSH-DEFEXT-01' : 'SSH-DEFEXT-02', () =>
            expect(certificate.extensions, words).toEqual(asked.extensions ?? default_extensions),
          )
          const isNone = asked.critical_options === undefined
          await bench.decide(isNone ? (isBare ? 'SSH-DEFCRIT-04' : 'SSH-DEFCRIT-01') : 'SSH-DEFCRIT-02', () =>
            expect(certificate.criticalOptions, words).toEqual(asked.critical_options ?? default_critical_options),
          )
        }
      }
      await bench.decide('SSH-DEFEXT-01', async () => expect(await roleRead(bench, role)(), 'the role, after all requests').toEqual(before))
    }
  },
)
