import { coreEngine } from '../../core/core-engine.ts'
import { anyoneMay } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { toEngine } from './pearl-help.ts'

const { rule } = faultsOf(coreEngine, 'core')

rule(
  'pearl-top-of-a-mount-listed-freely',
  'CORE-CAP-17',
  'listing the top directory of a mount asks for no capability (000, 7: 403 for no access; 1.5: listing)',
  anyoneMay((call) => toEngine(call) && call.method === 'LIST' && call.params.directory === ''),
)
