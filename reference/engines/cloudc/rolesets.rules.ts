/** Decisions about rolesets. */
import { invalid } from '../../core/errors.ts'
import { listOf, textOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Random } from '../../core/random.ts'
import type { Bindings, Roleset, SecretType } from './state.ts'

/** What a write asks for; undefined where it is left out. */
export interface Wanted {
  secretType: SecretType
  project: string
  bindings: string | undefined
  scopes: string[] | undefined
}

const TYPES: readonly string[] = ['access_token', 'service_account_key']

export const rolesetRules = {
  secretTypeOf(body: JsonObject, before: Roleset | undefined): SecretType {
    const type = textOf(body, 'secret_type', before?.secretType ?? 'access_token')
    if (!TYPES.includes(type)) throw invalid(`secret_type ${type} is not one of ${TYPES.join(', ')}`)
    return type as SecretType
  },
  projectOf(body: JsonObject, before: Roleset | undefined): string {
    const project = textOf(body, 'project', before?.project)
    if (project === '') throw invalid('project is missing')
    return project
  },
  bindingsTextOf(body: JsonObject, before: Roleset | undefined): string | undefined {
    const text = textOf(body, 'bindings')
    if (text === '' && before === undefined) throw invalid('bindings are missing')
    return text === '' ? undefined : text
  },
  scopesOf(body: JsonObject, type: SecretType): string[] | undefined {
    const scopes = listOf(body, 'token_scopes')
    if (type === 'service_account_key' && scopes.length > 0) throw invalid('token_scopes are for rolesets of type access_token')
    return body.token_scopes === undefined ? undefined : scopes
  },
  refusesFixed(wanted: Wanted, before: Roleset): void {
    if (wanted.secretType !== before.secretType) throw invalid('secret_type cannot be updated')
    if (wanted.project !== before.project) throw invalid('project cannot be updated')
  },
  accountId: (name: string, random: Random): string =>
    `s${name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '')
      .slice(-10)}-${random.word(14).toLowerCase()}`,
  /** Whether what could not be finished is undone at the provider. */
  undoes: (): boolean => true,
  /** Whether requests about one roleset wait for one another. */
  oneAtATime: (): boolean => true,
  deletesAccount: (): boolean => true,
  /** Whether keys that were issued end with the account that they belong to. */
  endsKeys: (): boolean => true,
  storedRoleset: (made: Roleset): Roleset => made,
  shownRoleset: (roleset: Roleset, bindings: Bindings): JsonObject => ({
    secret_type: roleset.secretType,
    service_account_email: roleset.account.email,
    service_account_project: roleset.project,
    bindings: bindings as JsonObject,
    token_scopes: roleset.scopes,
  }),
  unknownStatus: (): number => 400,
}
