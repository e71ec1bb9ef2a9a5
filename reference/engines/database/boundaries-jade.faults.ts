/** A fault at a limit: that of the mount where the role has none. */
import { faultsOf } from '../../mutations/declare.ts'
import { databaseEngine } from './engine.ts'

const { rule } = faultsOf(databaseEngine, 'database')

rule(
  'jade-no-max-ttl-is-default-lease',
  'DATABASE-TTL-02',
  'without max_ttl a lease never exceeds the default of the mount (document 2, 4.1: the limit is the mount max TTL, or the system max)',
  {
    leaseTimes: (original) => (role, mount) =>
      role.maxTtl > 0
        ? original(role, mount)
        : original(role, { ...mount, maxLeaseTtl: Math.min(mount.maxLeaseTtl, mount.defaultLeaseTtl) }),
  },
)
