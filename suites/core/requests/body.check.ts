import { type Answer, check, sweep } from '../../../harness/checks/index.ts'
import { storedUnder, storeEntry, takenAfterRefusals } from '../fixtures.ts'

sweep({
  id: 'core/malformed-body',
  clauses: ['CORE-BODY-02', 'CORE-BODY-03', 'CORE-BODY-04', 'CORE-ERROR-02'],
  title: 'a body that is not JSON is refused with 400 and no effect',
  kind: 'scenario',
  exclusion: 'malformed',
  applies: (operation) => operation.method === 'POST' && operation.hasBody,
  async body({ bench, expect, operation, input, state }) {
    const { body, ...request } = await input()
    const before = await state({ ...request, body })
    const tried = async (rawBody: string, headers: Record<string, string> = {}) => {
      const answer = await bench.call(operation.id, { ...request, rawBody, headers })
      return { rawBody, answer, after: await state({ ...request, body }) }
    }
    type Tried = Awaited<ReturnType<typeof tried>>
    const others: Tried[] = []
    for (const text of ['not json', '{"a": 1,}', "{'a': 1}", '{a: 1}']) others.push(await tried(text))
    // Nobody has to say that a body is JSON: a body without a type is still read.
    others.push(await tried('{a: 1}', { 'Content-Type': '' }))
    const [first, withoutColon, cut] = [others[0]!, await tried('{"a" 1}'), await tried('{"a": {"b": 1')]
    // What a server refuses in any form shows nothing of malformed bodies.
    const isTaken = await takenAfterRefusals({ bench, expect }, operation.id, { ...request, ...(body === undefined ? {} : { body }) })
    const refused = ({ rawBody, answer, after }: Tried) => {
      expect(answer, rawBody).toBeRefused()
      expect(after, 'state after the refusal').toEqual(before)
    }
    await bench.decide('CORE-BODY-02', () => {
      for (const one of others) refused(one)
      isTaken()
    })
    await bench.decide('CORE-BODY-03', () => expect(withoutColon.answer).toHaveStatus(400))
    await bench.decide('CORE-BODY-04', () => refused(cut))
    await bench.decide('CORE-ERROR-02', () => {
      const { errors } = (first.answer.body ?? {}) as { errors?: unknown[] }
      expect(errors?.length ?? 0, 'messages in errors').toBeGreaterThan(0)
    })
  },
})

sweep({
  id: 'core/body-not-an-object',
  clauses: ['CORE-BODY-05'],
  title: 'an array, a string or a number as body is refused',
  kind: 'scenario',
  exclusion: 'malformed',
  applies: (operation) => operation.method === 'POST' && operation.requestSchema?.type === 'object',
  async body({ bench, expect, operation, input, state }) {
    const { body, ...request } = await input()
    const before = await state({ ...request, body })
    const answers: [string, Answer][] = []
    for (const rawBody of ['[]', '[{"a": 1}]', '"text"', '7', 'true'])
      answers.push([rawBody, await bench.call(operation.id, { ...request, rawBody })])
    const after = await state({ ...request, body })
    const isTaken = await takenAfterRefusals({ bench, expect }, operation.id, { ...request, ...(body === undefined ? {} : { body }) })
    for (const [rawBody, answer] of answers) expect(answer, rawBody).toBeRefused()
    isTaken()
    expect(after, 'state after the refusals').toEqual(before)
  },
})

check('core/body-takes-effect', 'CORE-BODY-01', 'parameters in a JSON body take effect', async ({ bench, expect }) => {
  const { path, value } = await storeEntry(bench)
  expect(await storedUnder(bench, path)).toBe(value)
})

check('core/body-white-space', 'CORE-BODY-10', 'white space in a body changes nothing', async ({ bench, expect }) => {
  const path = bench.fresh('key')
  const value = bench.canary('value')
  const rawBody = ` \n\t{ \r\n "value"\t:\n "${value}"  }\r\n `
  expect(await bench.call('kv1.write', { path: { path }, rawBody })).toSucceed()
  expect(await storedUnder(bench, path)).toBe(value)
})

check('core/body-trailing-characters', 'CORE-BODY-06', 'characters after the JSON value are refused', async ({ bench, expect }) => {
  const path = bench.fresh('key')
  expect(await bench.call('kv1.write', { path: { path }, rawBody: '{"value": "a"} and more' })).toBeRefused()
})

check('core/body-oddities', ['CORE-BODY-07', 'CORE-BODY-08', 'CORE-BODY-09'], 'bodies at the edge of JSON', async ({ bench }) => {
  const outcome = async (rawBody: string | Uint8Array) => {
    const path = bench.fresh('key')
    const { status } = await bench.call('kv1.write', { path: { path }, rawBody, observing: true })
    return { write: status, stored: await storedUnder(bench, path) }
  }
  bench.observe('CORE-BODY-07', await outcome('{"value": "first", "value": "second"}'))
  bench.observe('CORE-BODY-08', await outcome(Buffer.from('7b2276616c7565223a22ff227d', 'hex')))
  // Not read back: an answer that is nested so deep is held against no schema.
  const deep = `{"value": ${'['.repeat(1000)}${']'.repeat(1000)}}`
  bench.observe('CORE-BODY-09', {
    write: (await bench.call('kv1.write', { path: { path: bench.fresh('key') }, rawBody: deep, observing: true })).status,
  })
})
