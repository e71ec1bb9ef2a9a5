/** Faults in where rolesets answer, and to whom a change of them is open. */
import { coreEngine } from '../../core/core-engine.ts'
import { type Asked, countsAs } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'

const { rule: core } = faultsOf(coreEngine, 'cloudc')

const atRoleset = (call: Asked): boolean => call !== undefined && 'mayGiveToken' in call.rules && call.path.includes('/roleset/')

core('access-update-by-create', ['CORE-CAP-07'], 'whoever may create a roleset may update it', countsAs('create', atRoleset, 'update'))

core('access-mount-of-parent', ['CORE-NS-07'], 'a mount of the root namespace answers in the namespaces below it, too', {
  mountsSeen: (original) => (all, namespace) => {
    const own = original(all, namespace)
    const above = all.filter((mount) => mount.engine.type === 'cloudc' && mount.namespace === '' && namespace !== '')
    return [...own, ...above.filter(({ path }) => !own.some((mount) => mount.path === path))]
  },
})
