/** What came of sending the evidence of a clause again, with the files that do so. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
import type { JSX } from 'preact'
import type { ClauseResult, Reproduction } from '../../specs/meta/results.ts'
import { Text } from './parts.tsx'

/** Only what stands beside the report is linked. */
const isBeside = (file: string | undefined): file is string => file !== undefined && /^evidence\/[A-Z0-9-]+\.(?:har|sh)$/.test(file)

const Line = ({ id, reproduction, named }: { id: string; reproduction: Reproduction; named: boolean }): JSX.Element => (
  <p class="reading">
    <b>Sent again</b> {named ? <Text of={`${id}: `} /> : null}
    <Text of={reproduction.said} />
    {[reproduction.har, reproduction.script].filter(isBeside).map((file) => (
      <span>
        {' '}
        <a href={file}>{file}</a>
      </span>
    ))}
  </p>
)

/** A line for each clause that has evidence. */
export const Reproductions = ({ clauses }: { clauses: readonly ClauseResult[] }): JSX.Element => (
  <div>
    {clauses.map(({ id, reproduction }) =>
      reproduction === undefined ? null : <Line id={id} reproduction={reproduction} named={clauses.length > 1} />,
    )}
  </div>
)
