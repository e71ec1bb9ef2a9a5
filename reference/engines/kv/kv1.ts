/** Key-value, version 1: one object per key, each write replaces it. */

import type { Engine } from '../../core/engine.ts'
import { ApiError, notFound } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { parseExact } from '../../core/json.ts'
import { type Kv1Rules, kv1Rules } from './kv1.rules.ts'

export interface Kv1State {
  /** Objects with exact numbers, by key. */
  objects: Map<string, Json>
}

export const kv1Engine: Engine<Kv1State, Kv1Rules> = {
  type: 'kv1',
  rules: kv1Rules,
  newState: () => ({ objects: new Map() }),
  routes: [
    {
      id: 'kv1.read',
      method: 'GET',
      path: '*path',
      handle({ params, state, rules, mount }) {
        const stored = state.objects.get(rules.keyOf(params.path ?? ''))
        if (stored === undefined) throw notFound()
        return rules.shown(stored, mount.defaultLeaseTtl)
      },
    },
    {
      id: 'kv1.write',
      method: 'POST',
      path: '*path',
      exists: ({ params, state, rules }) => rules.exists(state.objects.get(rules.keyOf(params.path ?? ''))),
      handle({ params, state, rules, text, body }) {
        const path = params.path ?? ''
        rules.checkKey(path)
        rules.checkObject(body)
        const key = rules.keyOf(path)
        state.objects.set(key, rules.replaced(state.objects.get(key), parseExact(text)))
        return rules.written()
      },
    },
    {
      id: 'kv1.delete',
      method: 'DELETE',
      path: '*path',
      handle({ params, state, rules }) {
        const key = rules.keyOf(params.path ?? '')
        const previous = state.objects.get(key)
        const left = rules.deleted(previous)
        if (left === undefined) state.objects.delete(key)
        const status = previous === undefined ? rules.absentDeleteStatus() : 204
        if (status >= 400) throw new ApiError(status)
        return rules.written()
      },
    },
    {
      id: 'kv1.list',
      method: 'LIST',
      path: '*directory',
      handle({ params, state, rules, services }) {
        const directory = params.directory ?? ''
        const names = rules.namesIn([...state.objects.keys()], directory)
        const more: JsonObject = rules.listed(names, state.objects, directory)
        return services.listing(names, more)
      },
    },
  ],
}
