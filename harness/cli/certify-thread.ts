/** The thread that certifies: what blocks it leaves signals and the longest time to the thread that supervises it. */
import { parentPort, workerData } from 'node:worker_threads'
import { enterPhase, sharePosition } from '../base/position.ts'
import type { ThreadData } from './supervisor.ts'
import { outliveReaders, useTerminal } from './terminal.ts'

const { argv, memory } = workerData as ThreadData
sharePosition(memory)
enterPhase('starting')
useTerminal()
outliveReaders()
const { runCommand } = await import('./commands.ts')
const code = await runCommand(argv)
// What was written reaches the other thread before its callback comes.
await new Promise<void>((done) => process.stdout.write('', () => process.stderr.write('', () => done())))
parentPort?.close()
process.exit(code)
