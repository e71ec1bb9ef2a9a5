/** Sources with markup say how it is compiled: what runs them from another folder reads no configuration of ours. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = import.meta.dirname
const sources = readdirSync(folder).filter((name) => name.endsWith('.tsx'))

test.each(sources)('%s', (name) => {
  const text = readFileSync(join(folder, name), 'utf8')
  expect(text).toContain('\n/** @jsxRuntime automatic */\n/** @jsxImportSource preact */\n')
})
