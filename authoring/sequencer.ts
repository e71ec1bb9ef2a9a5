/** The order of the files: contract checks judge the answers of all others, and come last. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const isContract = ({ moduleId }: TestSpecification): boolean => moduleId.endsWith('/authoring/contract.check.ts')

export class ContractLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = files.toSorted((left, right) => (left.moduleId < right.moduleId ? -1 : 1))
    return [...sorted.filter((file) => !isContract(file)), ...sorted.filter(isContract)]
  }
}
