/** Transformations of one role, and batches for them. */
import type { Answer, Bench, JsonObject } from '../../../harness/checks/index.ts'
import { newScheme, newValue, type Scheme, WORDS } from '../fixtures.ts'

export interface Three {
  role: string
  schemes: [Scheme, Scheme, Scheme]
}

/** A role with three transformations: two that encrypt, and one that masks. */
export const three = async (bench: Bench): Promise<Three> => {
  const role = bench.mixedName('role')
  const options = { letters: WORDS, alsoAllowed: [role] }
  const schemes: Three['schemes'] = [
    await newScheme(bench, 'fpe', options),
    await newScheme(bench, 'fpe', options),
    await newScheme(bench, 'masking', options),
  ]
  await bench.given('transform.writeRole', { path: { name: role }, body: { transformations: schemes.map(({ name }) => name) } })
  return { role, schemes }
}

/** Sends a batch, and what stands beside it. */
export const send = (
  bench: Bench,
  action: 'encode' | 'decode',
  role: string,
  items: JsonObject[],
  beside: JsonObject = {},
): Promise<Answer> => bench.call(`transform.${action}`, { path: { role_name: role }, body: { ...beside, batch_input: items } })

/** A new value that every transformation of these fits. */
export const words = (bench: Bench): string => newValue(bench, WORDS, 32)
