import { expect, test } from 'vitest'
import { runProgram } from './programs.ts'

test('a program gets its arguments, its input and its environment', async () => {
  const ended = await runProgram('sh', ['-c', 'cat; printf %s "$1 $WORD"; printf ä >&2; exit 3', 'sh', 'one'], {
    input: 'in:',
    env: { WORD: 'two' },
  })
  expect(ended).toEqual({ code: 3, stdout: 'in:one two', stderr: 'ä' })
})

test('a program learns nothing of our environment that it does not need', async () => {
  process.env.ASSAY_TOKEN = 'a-token-of-the-run'
  process.env.SSH_AUTH_SOCK = '/tmp/agent'
  try {
    const { stdout } = await runProgram('env', [], { env: { WORD: 'two' } })
    const names = stdout
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0]!)
    const known = 'PATH HOME USER LOGNAME LANG TMPDIR LD_LIBRARY_PATH DYLD_LIBRARY_PATH LC_ALL TZ WORD'.split(' ')
    expect(names.filter((name) => !known.includes(name))).toEqual([])
    expect(names).toEqual(expect.arrayContaining(['PATH', 'LC_ALL', 'TZ', 'WORD']))
  } finally {
    delete process.env.ASSAY_TOKEN
    delete process.env.SSH_AUTH_SOCK
  }
})

test('what is written is whole, whatever its size and however many run', async () => {
  const runs = await Promise.all(Array.from({ length: 12 }, (_, at) => runProgram('sh', ['-c', `yes ${at}€ | head -c 300000`])))
  for (const [at, { code, stdout }] of runs.entries()) {
    expect(code).toBe(0)
    expect(Buffer.byteLength(stdout)).toBeGreaterThanOrEqual(300_000)
    expect(new Set(stdout.split('\n').slice(0, -1))).toEqual(new Set([`${at}€`]))
  }
})

test('a program that does not end is ended', async () => {
  expect(await runProgram('sleep', ['60'], { within: 200 })).toMatchObject({ code: -1 })
})

test('a program that is not there is an error, and so is one whose starter has ended; the next one runs', async () => {
  await expect(runProgram('assay-has-no-such-program', [])).rejects.toThrow('ENOENT')
  await expect(runProgram('sh', ['-c', 'kill -9 $PPID; sleep 60'])).rejects.toThrow('the process that starts programs has ended')
  expect(await runProgram('true', [])).toMatchObject({ code: 0 })
})
