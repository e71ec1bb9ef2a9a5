import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // What is waited for comes when a busy machine gets to it.
    expect: { poll: { timeout: 30_000 } },
    include: ['{harness,suites,reports,reference,specs,tests,authoring}/**/*.test.{ts,tsx}'],
    globalSetup: ['tests/support/backend-leftovers.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // What every file loads is loaded once for all files of a worker: loading took as long as the quick tests themselves.
    isolate: false,
    // A test that starts servers and browsers shares two cores with its neighbours.
    maxWorkers: 2,
  },
})
