/** Where the operators apply to policy checks. */
import { applied, type Places } from '../../faults/apply.ts'
import type { World } from '../../run-management/world.ts'
import { policyChecks } from './engine.ts'

const SHOW = 'policyChecks.show'
const LIST = 'policyChecks.list'
const OVERRIDE = 'policyChecks.override'

const OBJECTS = 'the list holds objects'
const FIXED = 'it never changes'

const clause = (name: string): [string] => [`POLICY-CHECKS-${name}`]

type Replies = NonNullable<Places['replies']>

/** A member of the answers to an operation. */
const shown = (operation: string, member: string, name: string, more: Partial<Replies[string]> = {}): Replies => ({
  [`${operation.slice('policyChecks.'.length)}/${member}`]: {
    operations: [operation],
    member,
    clauses: clause(name),
    ...more,
  },
})

/** Members of items of a list, which say the same as show. */
const listed = (...members: string[]): Replies => Object.assign({}, ...members.map((member) => shown(LIST, `data.${member}`, 'LIST-09')))

/** Members of a check, each with the clause of its form. */
const FORMS = [
  ['id', 'FIELD-01'],
  ['type', 'FIELD-02'],
  ['attributes.result.result', 'FIELD-03'],
  ['attributes.result.passed', 'FIELD-04'],
  ['attributes.result.total-failed', 'FIELD-05'],
  ['attributes.result.hard-failed', 'FIELD-06'],
  ['attributes.result.soft-failed', 'FIELD-07'],
  ['attributes.result.advisory-failed', 'FIELD-08'],
  ['attributes.result.duration-ms', 'FIELD-09'],
  ['attributes.result.policy-engine', 'FIELD-10'],
  ['attributes.scope', 'FIELD-11'],
  ['attributes.status', 'FIELD-12'],
  ['attributes.status-timestamps', 'FIELD-13'],
  ['attributes.actions.is-overridable', 'FIELD-15'],
  ['attributes.permissions.can-override', 'FIELD-16'],
  ['relationships.run.data.id', 'FIELD-17'],
  ['links.output', 'FIELD-19'],
] as const

export const faults = applied(policyChecks, {
  except: {
    'no check finds it: whether it is promised is not judged yet': `
      show/data.attributes.status/neighbours show/data.attributes.status-timestamps.queued-at/neighbours
      list/data.attributes.scope/stale list/data.attributes.scope/neighbours list/data.attributes.status/stale
      list/data.attributes.status/neighbours override/data.attributes.status-timestamps.queued-at/neighbours
      override/data.attributes.status-timestamps.overridden-at/neighbours
    `,
  },
  lists: {
    list: {
      clauses: clause('LIST-03'),
      by: { 'of-ten': 'POLICY-CHECKS-PAGE-01', twice: 'POLICY-CHECKS-PAGE-05', stale: 'POLICY-CHECKS-OVERRIDE-11' },
      not: { 'of-objects': OBJECTS, 'alone-only': OBJECTS },
      operations: [LIST],
      member: 'data',
    },
  },
  replies: {
    ...shown(SHOW, 'data.id', 'SHOW-03', { not: { stale: FIXED } }),
    ...shown(SHOW, 'data.attributes.status', 'OVERRIDE-10'),
    ...shown(SHOW, 'data.attributes.status-timestamps.queued-at', 'FIELD-14', { not: { stale: FIXED } }),
    ...shown(SHOW, 'data.attributes.permissions.can-override', 'FIELD-24', {
      by: { stale: 'POLICY-CHECKS-FIELD-25' },
      not: { emptied: 'a boolean is not empty' },
    }),
    ...shown(SHOW, 'data.relationships.run.data.id', 'FIELD-18', { not: { stale: FIXED } }),
    ...shown(SHOW, 'data.links.output', 'FIELD-19', { not: { stale: FIXED } }),
    ...listed('attributes.scope', 'attributes.status', 'links.output'),
    ...shown(LIST, 'data.relationships.run.data.id', 'FIELD-18', { not: { stale: FIXED, neighbours: 'a list has checks of one run' } }),
    ...shown(OVERRIDE, 'data.id', 'OVERRIDE-04', { not: { stale: FIXED } }),
    ...shown(OVERRIDE, 'data.attributes.status', 'OVERRIDE-05', { not: { stale: FIXED, neighbours: 'every override answers overridden' } }),
    ...shown(OVERRIDE, 'data.attributes.status-timestamps.queued-at', 'OVERRIDE-07', { not: { stale: FIXED } }),
    ...shown(OVERRIDE, 'data.attributes.status-timestamps.overridden-at', 'OVERRIDE-08', { not: { stale: FIXED } }),
    ...shown(OVERRIDE, 'data.links.output', 'FIELD-19', { not: { stale: FIXED } }),
  },
  shapes: Object.assign({}, ...FORMS.map(([member, name]) => shown(SHOW, `data.${member}`, name))),
  memory: {
    override: {
      clauses: clause('OVERRIDE-10'),
      by: { 'second-write-lost': 'POLICY-CHECKS-OVERRIDE-16', 'new-one-lost': 'POLICY-CHECKS-OVERRIDE-01' },
      write: OVERRIDE,
      read: SHOW,
    },
  },
  neighbours: {
    override: {
      clauses: clause('OVERRIDE-22'),
      not: { 'with-prefix': 'no id begins like another', 'same-length': 'all ids are of one length' },
      operations: [OVERRIDE],
      parameter: 'id',
      things: ({ checks }: World) => checks,
    },
  },
})
