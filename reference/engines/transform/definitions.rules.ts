/** Decisions about alphabets and templates. */
import { RE2JS } from 're2js'
import { invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Template, TransformState } from './state.ts'

/** Refuses a body that lacks one of the fields. */
export const demand = (body: JsonObject, fields: readonly string[]): void => {
  for (const field of fields) if (body[field] === undefined || body[field] === null) throw invalid(`${field} is missing`)
}

export const definitionRules = {
  alphabetComplete(body: JsonObject, previous: string | undefined): void {
    if (previous === undefined) demand(body, ['alphabet'])
  },
  alphabetOf: (body: JsonObject, previous: string | undefined): string => textOf(body, 'alphabet', previous),
  shownAlphabet: (alphabet: string): JsonObject => ({ alphabet }),
  alphabetNames: (state: TransformState): string[] => [...state.alphabets.keys()],
  forgetsAlphabet: (): boolean => true,
  templateComplete(body: JsonObject, previous: Template | undefined): void {
    if (previous === undefined) demand(body, ['type', 'pattern'])
  },
  templateTypeKnown: (type: string): boolean => type === 'regex',
  templateOf: (body: JsonObject, previous: Template | undefined): Template => ({
    type: textOf(body, 'type', previous?.type),
    pattern: textOf(body, 'pattern', previous?.pattern),
    alphabet: textOf(body, 'alphabet', previous?.alphabet),
  }),
  /** Throws 400 for a pattern that does not compile. What compiles runs in linear time, whatever the value. */
  checkPattern(pattern: string): void {
    try {
      RE2JS.compile(pattern)
    } catch {
      throw invalid('pattern is not a regular expression that this server knows')
    }
  },
  /** Whether the alphabet that a template names has to be there when the template is written. */
  alphabetKnown: (_alphabets: ReadonlyMap<string, string>, _name: string): boolean => true,
  shownTemplate: (template: Template): JsonObject => ({ ...template }),
  templateNames: (state: TransformState): string[] => [...state.templates.keys()],
  forgetsTemplate: (): boolean => true,
  /** What the deletion of a name that is not there answers. */
  absentDeleteStatus: (): number => 204,
}
