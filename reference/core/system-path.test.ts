import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReference, type Reference } from '../index.ts'
import type { Engine } from './engine.ts'
import { secret } from './envelope.ts'

/** Shows what an engine at a system path gets of its server. */
const bell: Engine<{ rings: number }> = {
  type: 'bell',
  systemPath: 'sys/bell',
  rules: {},
  newState: () => ({ rings: 0 }),
  routes: [
    {
      id: 'bell.ring',
      method: 'POST',
      path: ':tone/ring',
      handle(call) {
        call.state.rings += 1
        const { libraries, cloud } = call.services.operator
        return secret({
          rings: call.state.rings,
          tone: call.params.tone ?? '',
          libraries: Object.keys(libraries),
          proxy: cloud?.proxy ?? '',
        })
      },
    },
  ],
}

let reference: Reference
beforeAll(async () => {
  reference = await createReference({ tls: false, rootToken: 'first', engines: [bell as unknown as Engine], mounts: {} }).listen()
})
afterAll(() => reference.close())

const ask = (method: string, path: string, namespace = '') =>
  fetch(`${reference.url}/v1/${path}`, { method, headers: { 'x-service-token': 'first', 'x-service-namespace': namespace } })
const ring = async (path = 'sys/bell/high/ring', namespace = '') => {
  const answer = await ask('POST', path, namespace)
  return { status: answer.status, data: ((await answer.json()) as { data?: unknown }).data }
}

test('an engine at a system path has one state, in the root and the administrative namespace, and help of its own', async () => {
  expect(await ring()).toMatchObject({ status: 200, data: { rings: 1, tone: 'high' } })
  expect(await ring('sys/bell/low/ring', 'admin/')).toMatchObject({ status: 200, data: { rings: 2, tone: 'low' } })
  await ask('POST', 'sys/namespaces/team')
  expect((await ring('sys/bell/high/ring', 'team/')).status).toBe(404)
  expect((await ask('GET', 'sys/bell?help=1')).status).toBe(200)
  expect((await ask('GET', 'sys/bell/high/ring')).status).toBe(405)
  expect((await ask('GET', 'sys/mounts')).status).toBe(200)
})

test('what an operator says of libraries and the cloud is there at the next request', async () => {
  reference.operate({ libraries: { hsm: { module: '/nowhere.so', environment: {} } } })
  reference.operate({ cloud: { proxy: 'http://127.0.0.1:1', caPem: '' } })
  expect((await ring()).data).toMatchObject({ libraries: ['hsm'], proxy: 'http://127.0.0.1:1' })
})
