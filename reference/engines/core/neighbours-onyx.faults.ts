/** Faults of the conventions: effects on a neighbour. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import { placeOfCall } from './onyx-help.ts'

const { rule } = faultsOf(coreEngine, 'core')

rule(
  'onyx-mount-by-first-segment',
  'CORE-MOUNT-02',
  'of two mounts whose paths begin with the same segment (`team/a`, `team/b`) the one mounted first takes the requests of both (000, Conventions: engines can be mounted at any path)',
  {
    mountOf: (original) => (path, mounts) => {
      const found = original(path, mounts)
      if (found === undefined || found.split('/').length < 3) return found
      return mounts.find((mount) => mount.split('/')[0] === path.split('/')[0] && mount.length === found.length) ?? found
    },
  },
)

const opened = remembered(() => new Set<string>())

rule(
  'onyx-read-granted-to-next-caller',
  'CORE-CAP-01',
  'that a policy grants reading a path is remembered without the token: once one limited token has read it, every other may that is not denied (000, 7: 403 forbidden, no access)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const own = original(granted, needed, call)
      if (call === undefined || needed !== 'read' || isProvisioning(call)) return own
      const paths = opened(call.services)
      const place = placeOfCall(call)
      if (own) paths.add(place)
      return own || (!granted.has('deny') && paths.has(place))
    },
  },
)

rule(
  'onyx-mount-name-cut-twice',
  'CORE-MOUNT-01',
  "a key that begins with the mount's own name loses it: `secret/secret/x` is `secret/x` (000, 1.4: a secret is read and written at `/v1/secret/<key>`)",
  {
    pathBelow: (original) => (mount, path, type) => {
      const rest = original(mount, path, type)
      return rest.startsWith(mount) ? rest.slice(mount.length) : rest
    },
  },
)
