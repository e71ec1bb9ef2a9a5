/** What the pages of the contract share: one clause as an article, and links between the pages. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
import type { JSX } from 'preact'
import { anchorOf, pageOf, type SiteClause, type SiteRun } from '../contract-site.ts'
import { instant } from '../text.ts'
import { VERDICT_WORDS } from '../words.ts'
import { Remark, Statement } from './clause-parts.tsx'
import { ClauseBadge, ClauseLink, clauseAnchor, IdLink, LevelTag, Text } from './parts.tsx'

/** What the head of each page says at its right end. */
export const About = ({ run, version }: { run: SiteRun | undefined; version: string }): JSX.Element =>
  run === undefined ? (
    <>
      the contract, assay <Text of={version} />
    </>
  ) : (
    <>
      <Text of={run.target.name} />, {VERDICT_WORDS[run.verdict].label.toLowerCase()} <span>{instant(run.startedAt)}</span>
    </>
  )

const OperationLink = ({ id, engine }: { id: string; engine: string }): JSX.Element => (
  <IdLink to={`${pageOf(engine)}#${anchorOf('operation', id)}`} id={id} />
)

/** One clause: its level and what became of it, the statement, where it stands, how it is read, who decides it. */
export const ClauseArticle = ({ clause, engineOf }: { clause: SiteClause; engineOf: (operation: string) => string }): JSX.Element => (
  <article class={`finding t-${clause.outcome ?? 'excluded'}`} id={clauseAnchor(clause.id)} tabIndex={-1} data-nav>
    <header>
      <ClauseLink id={clause.id} />
      <LevelTag level={clause.level} />
      {clause.outcome === undefined ? null : <ClauseBadge outcome={clause.outcome} />}
    </header>
    <Statement clause={clause} />
    <Remark title="Seen" of={clause.reason} />
    <Remark title="Reading" of={clause.reading} />
    <Remark title="Not tested" of={clause.excluded} />
    {clause.operations.length === 0 ? null : (
      <p class="reading">
        <b>Operations</b>{' '}
        {clause.operations.map((id) => (
          <span>
            <OperationLink id={id} engine={engineOf(id)} />{' '}
          </span>
        ))}
      </p>
    )}
    {clause.checks.length === 0 ? null : (
      <details>
        <summary>Decided by {clause.checks.length === 1 ? 'one check' : `${clause.checks.length} checks`}</summary>
        <ul class="plain">
          {clause.checks.map(({ id, title, kind }) => (
            <li>
              <code>
                <Text of={id} />
              </code>{' '}
              <Text of={title} /> ({kind})
            </li>
          ))}
        </ul>
      </details>
    )}
  </article>
)
