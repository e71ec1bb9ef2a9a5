/** Dynamic roles: which of them a connection allows, and how often a statement may name its user. */
import { faultsOf } from '../../mutations/declare.ts'
import { databaseEngine } from './engine.ts'

const { rule } = faultsOf(databaseEngine)

/** Stands for the user name until all places are known. */
const MARK = '\u0000'

rule('patched-part-of-allowed', ['DATABASE-ALLOWED-04'], 'a role is allowed whose name is a part of a name in allowed_roles', {
  roleAllowed: () => (allowed, role) => allowed.includes('*') || allowed.join(',').includes(role),
})
rule('patched-second-username', ['DATABASE-TEMPLATE-02'], 'only the first {{username}} of a statement is filled in', {
  prepared: (original) => (statements, values) =>
    original(statements, { ...values, username: MARK }).map((statement) =>
      statement.replace(MARK, () => values.username ?? '').replaceAll(MARK, '{{username}}'),
    ),
})
