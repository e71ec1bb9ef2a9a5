/** Reads the matrices of `assay prove --all-killers`. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { DID } from '../harness/mutation/trials.ts'

interface Matrix {
  checks: string[]
  faults: [fault: string, state: string, seed: number][]
  rows: [fault: number, check: number, did: number, requests: number, ms: number][]
}

/** A check that killed a fault, and the milliseconds that it took. */
export interface MatrixKill {
  fault: string
  check: string
  ms: number
}

/** All kills of a matrix. */
export const killsOf = (file: string): MatrixKill[] => {
  const { checks, faults, rows } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as Matrix
  return rows
    .filter(([, , did]) => DID[did] === 'killed')
    .map(([fault, check, , , ms]) => ({ fault: faults[fault]![0], check: checks[check]!, ms }))
}
