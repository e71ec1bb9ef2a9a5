/** Nothing is kept of an exchange before its secrets are known: what is sent and answered is told to those who keep them first. */
import type { Operation } from '../contract/contract.ts'
import type { WireRequest } from './wire.ts'

/** What a request is about: how much its answer is trusted. */
export interface Subject {
  /** Whose schemas say what is secret; undefined for a request that the contract does not describe. */
  operation?: Operation
  /** Whom it speaks for. */
  token?: string | undefined
  /** Without an operation: the answer hands out no credential. Anything else may be one. */
  isPlain?: boolean
}

/** A request of our own to which any answer does. */
export const PLAIN: Subject = { isPlain: true }

/** What a request is about that prepares a target or cleans up: those posted to `auth/` make and end tokens, or tell of them. */
export const ownSubject = ({ method, path }: Pick<WireRequest, 'method' | 'path'>): Subject => ({
  isPlain: !(method === 'POST' && path.includes('/auth/')),
})

declare const learned: unique symbol

/** The mark of an answer whose secrets are known. `learnedAnswer` gives it, and nothing else does. */
export interface Learned {
  readonly [learned]: true
}

/** What came as an answer. */
export interface Received {
  status: number
  headers: Record<string, string>
  /** Large ones are unpacked when they are asked for. */
  readonly bytes: Uint8Array
}

/** An answer whose secrets are known. */
export interface WireAnswer extends Received, Learned {}

/** Takes in what is secret in a request and, where there is one, its answer. */
export type Learn = (request: WireRequest, subject: Subject, answer?: WireAnswer) => void

/** An answer after its secrets were learned. */
export const learnedAnswer = (answer: Received, learn: (answer: WireAnswer) => void): WireAnswer => {
  const marked = answer as WireAnswer
  learn(marked)
  return marked
}
