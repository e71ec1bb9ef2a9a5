import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { anySignal } from './shared-signal.ts'

test('many listeners of one signal hear of it, and Node warns of none', async () => {
  const warnings: Error[] = []
  const warned = (warning: Error): void => void warnings.push(warning)
  process.on('warning', warned)
  const stop = new AbortController()
  const signal = anySignal([stop.signal])
  const heard = Array.from({ length: 40 }, () => once(signal, 'abort'))
  stop.abort()
  await Promise.all(heard)
  await setImmediate()
  process.off('warning', warned)
  expect(warnings.filter(({ name }) => name === 'MaxListenersExceededWarning')).toEqual([])
})
