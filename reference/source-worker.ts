/** Starts a thread from what is built as well as from sources. */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** A thread. Sources in TypeScript need their loader in it too, found from here and not from where somebody works; what is built does not. */
export const sourceWorker = (entry: URL, options: WorkerOptions): Worker => {
  if (!entry.pathname.endsWith('.ts')) return new Worker(entry, options)
  // require() finds the CommonJS form, which cannot register the other: they lie side by side.
  const loader = pathToFileURL(
    createRequire(import.meta.url)
      .resolve('tsx/esm/api')
      .replace(/\.cjs$/, '.mjs'),
  ).href
  const code = `import(${JSON.stringify(loader)}).then(({ register }) => { register(); return import(${JSON.stringify(entry.href)}) })`
  return new Worker(code, { ...options, eval: true })
}
