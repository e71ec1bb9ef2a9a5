/** Where a second server answered the same programs in another way. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
import type { JSX } from 'preact'
import type { Against } from '../../specs/meta/results.ts'
import { plural, thousands } from '../text.ts'
import { ClauseLink, Section, Text } from './parts.tsx'
import { Table } from './table.tsx'

/** How many differences stand on the page. */
const MOST = 100

/** The section; nothing where no second server was asked. */
export const AgainstOther = ({ against }: { against: Against | undefined }): JSX.Element | null => {
  if (against === undefined) return null
  const { url, checks, exchanges, parted, leftOut, differences } = against
  const rest = differences.length - MOST
  return (
    <Section
      id="against"
      title="Against another server"
      count={differences.length}
      note={
        <>
          <Text of={url} /> was asked the same: {plural(checks, 'check')}, {thousands(exchanges)} answers compared.{' '}
          {plural(parted.length, 'check')} went another way there; {plural(leftOut, 'check')} not sent. Nothing here is judged.
        </>
      }
    >
      {differences.length === 0 ? null : (
        <Table caption="Answers that differ" columns={['Clause', 'Where', 'This server', 'The other']}>
          {differences.slice(0, MOST).map(({ clause, operation, place, check, here, there, count }) => (
            <tr>
              <td>{clause === undefined ? 'open' : <ClauseLink id={clause} />}</td>
              <td>
                <code>
                  <Text of={`${operation} ${place}`} />
                </code>
                <span class="under soft">
                  <Text of={check} />
                  {count === 1 ? '' : `, ${thousands(count)} times`}
                </span>
              </td>
              <td data-name="This server">
                <Text of={here} />
              </td>
              <td data-name="The other">
                <Text of={there} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {parted.length === 0 ? null : (
        <Table
          caption="Checks that went another way on the other server: what follows there is not compared"
          captioned
          columns={['Check', 'Why']}
        >
          {parted.slice(0, MOST).map(({ check, reason }) => (
            <tr>
              <td>
                <code>
                  <Text of={check} />
                </code>
              </td>
              <td>
                <Text of={reason} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {rest <= 0 ? null : <p class="note">{plural(rest, 'more difference')} in results.json</p>}
    </Section>
  )
}
