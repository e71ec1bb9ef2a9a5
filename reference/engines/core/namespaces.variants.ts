/** Legal alternatives of namespaces. */

import { coreEngine } from '../../core/core-engine.ts'
import { notFound } from '../../core/errors.ts'
import type { Reply } from '../../core/reply.ts'
import { variantsOf } from '../../faults/declare.ts'

const { route, declared } = variantsOf(coreEngine)

const noRoute = () => (): Reply => {
  throw notFound()
}

const ROUTES = ['sys.listNamespaces', 'sys.readNamespace', 'sys.writeNamespace', 'sys.deleteNamespace']

route('no-namespaces', 'a feature that a target lacks narrows what clauses are tried with', 'the server has no namespaces', ROUTES, noRoute)

export const variants = declared
