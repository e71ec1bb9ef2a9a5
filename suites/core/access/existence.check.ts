import { check, type Identity, type JsonObject } from '../../../harness/checks/index.ts'
import { storedUnder, storeEntry } from '../fixtures.ts'

const ABSENT = { status: 404 }

const ALONE = 'alone'

check(
  'core/new-is-create',
  'CORE-CAP-19',
  'what is not there is created, by either verb, beside a directory of its name, after a refused write, and after a deletion',
  { needs: { features: ['identities'] } },
  async ({ bench, expect }) => {
    const directory = bench.fresh('dir')
    const callerWith = (...capabilities: ('create' | 'update')[]) =>
      bench.identity([{ operation: 'kv1.write', path: { path: `${directory}/*` }, capabilities }])
    const [creator, updater, both] = [await callerWith('create'), await callerWith('update'), await callerWith('create', 'update')]
    const newPath = () => `${directory}/${bench.fresh('key')}`
    const write = (path: string, as: Identity | 'root', method = 'POST') =>
      bench.call('kv1.write', { path: { path }, body: { value: 'written' }, as, method })
    // An engine that makes no existence check takes every write for an update: then there is nothing to tell apart.
    const creates = (await write(newPath(), creator)).ok
    const updates = (await write(newPath(), updater)).ok
    const places: Record<string, () => Promise<string>> = {
      [ALONE]: async () => newPath(),
      'beside a directory of its name': async () => {
        const path = newPath()
        await storeEntry(bench, { path: { path: `${path}/below` } })
        return path
      },
      'after a write that was refused for its body': async () => {
        const path = newPath()
        for (const method of ['POST', 'PUT'])
          for (const rawBody of ['{"value":', '[]']) await bench.call('kv1.write', { path: { path }, method, rawBody })
        return path
      },
      'after its deletion': async () => {
        const path = newPath()
        // Its maker makes it again.
        if (!(creates && (await write(path, creator)).ok)) await storeEntry(bench, { path: { path } })
        // While it is there it is not created, and what was refused then is not refused for ever.
        for (const method of ['POST', 'PUT']) await write(path, creator, method)
        await bench.call('kv1.delete', { path: { path } })
        return path
      },
    }
    for (const [where, prepare] of Object.entries(places)) {
      for (const method of ['POST', 'PUT']) {
        const path = await prepare()
        if (JSON.stringify(await storedUnder(bench, path)) !== JSON.stringify(ABSENT)) continue
        const what = `${method} of a new entry ${where}`
        if (where === ALONE) expect(await write(newPath(), both, method), `${what}, with both`).toSucceed()
        const updated = await write(path, updater, method)
        if (!updates) {
          expect(updated, `${what}, with update alone`).toBeRefused()
          expect(await storedUnder(bench, path), `${what}, after the refusal`).toEqual(ABSENT)
        }
        if (!creates || updated.ok) continue
        const created = await write(path, creator, method)
        // A name that nobody may write says nothing of capabilities.
        if (!created.ok && !(await write(path, 'root', method)).ok) continue
        expect(created, `${what}, with create alone`).toSucceed()
        expect(await storedUnder(bench, path), what).toBe('written')
      }
    }
  },
)

check(
  'core/new-beside-another-mount',
  'CORE-CAP-19',
  'what is not there is created, also as the first of its mount and where another mount has something of its path',
  { needs: { features: ['identities', 'mounts'] } },
  async ({ bench, expect }) => {
    const [own, other] = [await bench.mount('kv1'), await bench.mount('kv1')]
    const directory = bench.fresh('dir')
    const newPath = (): string => `${directory}/${bench.fresh('key')}`
    const callerWith = (capability: 'create' | 'update') =>
      bench.identity([{ operation: 'kv1.write', mount: own, path: { path: `${directory}/*` }, capabilities: [capability] }])
    const [creator, updater] = [await callerWith('create'), await callerWith('update')]
    const write = (path: string, as: Identity, method = 'POST') =>
      bench.call('kv1.write', { mount: own, path: { path }, body: { value: 'written' }, as, method })
    // The first of a mount, and the next one after somebody else's.
    const first = await write(newPath(), creator)
    await storeEntry(bench, { mount: own })
    const creates = (await write(newPath(), creator)).ok
    const updates = (await write(newPath(), updater)).ok
    if (creates) expect(first, 'the first entry of a mount, with create alone').toSucceed()
    const takenElsewhere = async () => (await storeEntry(bench, { mount: other, path: { path: newPath() } })).path
    for (const method of ['POST', 'PUT']) {
      const what = `${method} of what another mount has`
      if (!updates) expect(await write(await takenElsewhere(), updater, method), `${what}, with update alone`).toBeRefused()
      if (creates) expect(await write(await takenElsewhere(), creator, method), `${what}, with create alone`).toSucceed()
    }
    if (updates && !creates) bench.observe('CORE-CAP-19', 'whether something is there makes no difference')
  },
)

/** What a write of version 2 is refused for. */
const BAD: JsonObject[] = [{}, { data: 'text' }, { data: [1] }]

check(
  'core/refused-is-not-there',
  'CORE-CAP-19',
  'what was refused for its data is not there yet: the corrected write creates it, by either verb',
  { needs: { features: ['identities'] } },
  async ({ bench, expect }) => {
    const directory = bench.fresh('dir')
    const creator = await bench.identity([{ operation: 'kv2.write', path: { path: `${directory}/*` }, capabilities: ['create'] }])
    const newPath = (): string => `${directory}/${bench.fresh('key')}`
    const write = (path: string, body: JsonObject, as: Identity | 'root', method: string) =>
      bench.call('kv2.write', { path: { path }, body, as, method, invalid: true })
    const good = { data: { value: 'written' } }
    if (!(await write(newPath(), good, creator, 'POST')).ok) return bench.observe('CORE-CAP-19', 'create alone makes nothing')
    let refusals = 0
    for (const method of ['POST', 'PUT'])
      for (const as of [creator, 'root' as const])
        for (const bad of BAD) {
          const path = newPath()
          if ((await write(path, bad, as, method)).status !== 400) continue
          refusals += 1
          const corrected = await write(path, good, creator, method)
          if (!corrected.ok) await bench.given('kv2.write', { path: { path }, body: good })
          expect(corrected, `${method} with create alone, after ${JSON.stringify(bad)} was refused`).toSucceed()
        }
    if (refusals === 0) bench.observe('CORE-CAP-19', 'no data is refused')
  },
)
