/** What was reached: operations, statuses and clauses, by engine and one by one. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
import type { JSX } from 'preact'
import type { OperationCoverage } from '../../specs/meta/results.ts'
import { plural, thousands } from '../text.ts'
import type { View } from '../view.ts'
import { GroupTitle, List } from './list.tsx'
import { Section, Text } from './parts.tsx'
import { Table } from './table.tsx'

/** The section of coverage; nothing where no operation was recorded. */
export const Coverage = ({ coverage, view }: { coverage: OperationCoverage[]; view: View }): JSX.Element | null => {
  if (coverage.length === 0) return null
  return (
    <Section
      id="coverage"
      title="Coverage"
      note={`${reached(coverage)} called, ${plural(statusesOf(coverage).length, 'status code')} seen.`}
    >
      <Table caption="By engine" captioned columns={['Engine', 'Clauses decided', 'Operations called', 'Status codes']}>
        {view.engines.map(({ engine: { id, clauses }, coverage: rows }) => (
          <tr>
            <th scope="row">
              <Text of={id} />
            </th>
            <td data-name="Clauses decided">
              {clauses.verified + clauses.violated + clauses.warned} of {clauses.total}
            </td>
            <td data-name="Operations called">
              {rows.filter((row) => row.requests > 0).length} of {rows.length}
            </td>
            <td data-name="Status codes">
              <Text of={statusesOf(rows).join(' ') || 'none'} />
            </td>
          </tr>
        ))}
      </Table>
      <Operations view={view} />
    </Section>
  )
}

const reached = (coverage: OperationCoverage[]): string =>
  `${coverage.filter((row) => row.requests > 0).length} of ${plural(coverage.length, 'operation')}`

const statusesOf = (coverage: OperationCoverage[]): string[] => [...new Set(coverage.flatMap((row) => Object.keys(row.statuses)))].sort()

const Operations = ({ view }: { view: View }): JSX.Element => (
  <List
    name="coverage"
    caption="Operations by engine"
    captioned
    columns={[{ title: 'Operation' }, { title: 'Method and path' }, { title: 'Requests', right: true }, { title: 'Answers' }]}
    groups={view.engines.map(({ engine, coverage }) => ({
      title: <GroupTitle title={engine.title} say={`${reached(coverage)} called`} />,
      rows: coverage.map(operation),
    }))}
  />
)

const operation = (row: OperationCoverage): JSX.Element => (
  <tr tabIndex={-1} data-nav>
    <td>
      <code>
        <Text of={row.operation} />
      </code>
    </td>
    <td class="path">
      <b>
        <Text of={row.method} />
      </b>{' '}
      <Text of={row.path} />
    </td>
    <td class="right" data-name="Requests">
      {thousands(row.requests)}
    </td>
    <td class="answers">
      {row.requests === 0 ? (
        <span class="never">never called</span>
      ) : (
        Object.entries(row.statuses).map(([status, count]) => (
          <span class="answer">
            <b>
              <Text of={status} />
            </b>{' '}
            × {thousands(count)}
          </span>
        ))
      )}
    </td>
  </tr>
)
