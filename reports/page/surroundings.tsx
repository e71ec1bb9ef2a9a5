/** What surrounds the verdict: known deviations, the run and its backends, and what could not be cleaned up. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
import type { ComponentChildren, JSX } from 'preact'
import type { DeviationRecord, Results } from '../../specs/meta/results.ts'
import { instant, plural, visible } from '../text.ts'
import { DEVIATION_WORDS } from '../words.ts'
import { Badge, Block, ClauseLink, Facts, Section, Text } from './parts.tsx'
import { Table } from './table.tsx'

/** How many entries of a list stand on the page. */
const MOST = 50

const Rest = ({ count }: { count: number }): JSX.Element | null =>
  count <= 0 ? null : <p class="note">{plural(count, 'more entry', 'more entries')} in results.json</p>

/** The entries of the file of known deviations and what became of each. */
export const Deviations = ({ deviations }: { deviations: DeviationRecord[] }): JSX.Element | null =>
  deviations.length === 0 ? null : (
    <Section
      id="deviations"
      title="Known deviations"
      count={deviations.length}
      note="Recorded failures that the gate tolerates. The verdict ignores them."
    >
      <Table kind="deviations" caption="Entries of the file of known deviations" columns={['Clause', 'State', 'Reason', 'Owner', 'Until']}>
        {deviations.slice(0, MOST).map((entry) => (
          <tr>
            <td>
              <ClauseLink id={entry.clause} />
              {entry.check === undefined ? null : (
                <code class="under">
                  <Text of={entry.check} />
                </code>
              )}
            </td>
            <td>
              <Badge like={DEVIATION_WORDS[entry.state].like} label={DEVIATION_WORDS[entry.state].label} />
              <span class="soft under">{DEVIATION_WORDS[entry.state].meaning}</span>
            </td>
            <td>
              <Text of={entry.reason} /> {entry.link === undefined ? null : <SafeLink url={entry.link} />}
            </td>
            <td data-name="Owner">
              <Text of={entry.owner} />
            </td>
            <td data-name="Until">{entry.expires === undefined ? 'no date' : <Text of={entry.expires} />}</td>
          </tr>
        ))}
      </Table>
      <Rest count={deviations.length - MOST} />
    </Section>
  )

/** The run itself: what it ran against, when, where, and which real systems stood behind it. */
export const Run = ({ results }: { results: Results }): JSX.Element => {
  const { environment, target } = results
  const rows: [string, ComponentChildren][] = [
    ...target.apis.map((api): [string, ComponentChildren] => [
      api.api,
      <>
        <Text of={api.url} /> <span class="soft">{visible(api.dialect)} dialect</span>
      </>,
    ]),
    ['Started', instant(results.startedAt)],
    ['Seed', results.seed],
    ['Effort', <Text of={results.effort} />],
    ['Run', <Text of={results.run} />],
    ['Suite', <Text of={`assay ${results.assay}`} />],
    ['Node', <Text of={environment.node} />],
    ['Platform', <Text of={environment.platform} />],
    ['Ended', instant(results.finishedAt)],
    ['Engines', target.probed ? 'found by probing the server' : 'claimed by the target’s owner'],
  ]
  if (environment.server !== undefined) rows.push(['Server', <Text of={environment.server} />])
  if (environment.clockSkewSeconds !== undefined) rows.push(['Clock skew', `${environment.clockSkewSeconds} s`])
  return (
    <Section id="run" title="This run">
      <Facts rows={rows} />
      <Block text={environment.command} label="Command of this run" copy />
      <List items={target.notes} />
      {results.backends.length === 0 ? null : (
        <Table kind="backends" caption="Backends" captioned columns={['Name', 'Provider', 'Version', 'Remark']}>
          {results.backends.map((backend) => (
            <tr>
              <td>
                <Text of={backend.name} />
              </td>
              <td data-name="Provider">
                <Text of={backend.provider} />
              </td>
              <td data-name="Version">{backend.version === undefined ? 'none' : <Text of={backend.version} />}</td>
              <td>
                <Text of={[backend.reason, backend.remedy].filter((part) => part !== undefined).join('; remedy: ') || 'in use'} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  )
}

/** What the run left on the target. */
export const Leftovers = ({ leftovers }: { leftovers: string[] }): JSX.Element | null =>
  leftovers.length === 0 ? null : (
    <Section
      id="leftovers"
      title="Left behind"
      count={leftovers.length}
      note={
        <>
          What could not be removed from the target. <code>assay clean</code> tries again.
        </>
      }
    >
      <List items={leftovers} />
    </Section>
  )

const List = ({ items }: { items: string[] }): JSX.Element | null =>
  items.length === 0 ? null : (
    <>
      <ul class="plain">
        {items.slice(0, MOST).map((item) => (
          <li>
            <Text of={item} />
          </li>
        ))}
      </ul>
      <Rest count={items.length - MOST} />
    </>
  )

/** A link only where following it can do no harm; anything but http and https stays text. */
const SafeLink = ({ url }: { url: string }): JSX.Element => {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  return parsed?.protocol === 'https:' || parsed?.protocol === 'http:' ? (
    <a href={parsed.href} rel="noopener noreferrer">
      <Text of={url} />
    </a>
  ) : (
    <Text of={url} />
  )
}
