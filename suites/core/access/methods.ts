import type { OperationFacts } from '../../../harness/checks/index.ts'

/** The methods by which the contract lets an operation be asked for: POST and PUT are one, and so are LIST and GET with list=true. */
export const methodsOf = ({ isList, method }: OperationFacts): string[] =>
  isList ? ['LIST', 'GET'] : method === 'POST' ? ['POST', 'PUT'] : [method]
