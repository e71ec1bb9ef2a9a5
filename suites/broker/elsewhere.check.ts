/** Roles of one name in several places. */
import { elsewhere } from '../../harness/checks/index.ts'
import { placeFor } from './fixtures.ts'

const rights = (pattern: string) => ({ vhosts: JSON.stringify({ '/': { configure: pattern, write: '.*', read: pattern } }) })

elsewhere('broker/roles-elsewhere', 'roles of one name', {
  type: 'broker',
  clause: 'BROKER-APART-01',
  needs: { backends: ['rabbitmq'] },
  operations: { write: 'broker.writeRole', read: 'broker.readRole', remove: 'broker.deleteRole' },
  uses: { operation: 'broker.readCreds' },
  prepare: (bench, mount) => placeFor(bench, { mount }),
  bodies: async () => [{ tags: 'management', ...rights('^a') }, { tags: 'monitoring' }, rights('')],
})
