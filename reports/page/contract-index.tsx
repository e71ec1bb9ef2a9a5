/** The first page of the contract: documents and their sections, engines, and a search over every clause. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
import type { JSX } from 'preact'
import { bySection, type ContractSite, firstSection, pageOf, type SiteClause, type SiteRun } from '../contract-site.ts'
import { plural, thousands } from '../text.ts'
import { CLAUSE_OUTCOMES, CLAUSE_WORDS, VERDICT_WORDS } from '../words.ts'
import { ClauseList, ClauseRow } from './clause-parts.tsx'
import { About } from './contract-parts.tsx'
import { renderFrame } from './frame.tsx'
import { GroupTitle } from './list.tsx'
import { ClauseBadge, clauseAnchor, IdLink, LevelTag, Prose, Section, Text } from './parts.tsx'
import { Table } from './table.tsx'

const hrefOf = ({ engine, id }: SiteClause): string => `${pageOf(engine)}#${encodeURIComponent(clauseAnchor(id))}`

/** Renders the page. */
export const renderContractIndex = (site: ContractSite, run?: SiteRun): string => {
  const clauses = site.engines.flatMap((engine) => engine.clauses)
  const operations = site.engines.reduce((sum, engine) => sum + engine.operations.length, 0)
  const documents = [...new Set(bySection(clauses).map(({ source }) => source.title))]
  const verified = clauses.filter(({ outcome }) => outcome === 'verified').length
  return renderFrame({
    title: run === undefined ? 'The contract (assay)' : `${run.target.name} and the contract (assay)`,
    about: <About run={run} version={site.version} />,
    gate: 'passed',
    entries: [
      ['contract', 'The contract'],
      ['engines', 'Engines', site.engines.length],
      ['documents', 'Documents', documents.length],
      ['clauses', 'All clauses', clauses.length],
    ],
    children: (
      <>
        <section id="contract" class="banner plain-banner" aria-labelledby="contract-title">
          <div class="headline t-observed">
            <p class="eyebrow">
              {run === undefined ? (
                'Every testable statement'
              ) : (
                <>
                  <Text of={run.target.name} />: {VERDICT_WORDS[run.verdict].label.toLowerCase()}
                </>
              )}
            </p>
            <h1 id="contract-title">The contract</h1>
            <p class="lead">
              {plural(clauses.length, 'clause')} and {plural(operations, 'operation')} of {plural(site.engines.length, 'engine')}.
              {run === undefined ? '' : ` ${thousands(verified)} clauses are verified on this target.`}
            </p>
          </div>
        </section>
        <Section id="engines" title="Engines" count={site.engines.length}>
          <Engines site={site} />
        </Section>
        <Section id="documents" title="Documents" count={documents.length} note="Each section with the clauses that stand in it.">
          {documents.map((title) => (
            <Document title={title} clauses={clauses.filter(({ source }) => source.title === title)} />
          ))}
        </Section>
        <Section id="clauses" title="All clauses" count={clauses.length}>
          <Clauses site={site} hasRun={run !== undefined} />
        </Section>
      </>
    ),
    end: 'Written by assay contract from the specs, which are data for any tool.',
  })
}

const Engines = ({ site }: { site: ContractSite }): JSX.Element => (
  <Table caption="Engines" columns={['Engine', 'Clauses', 'Operations']}>
    {site.engines.map(({ id, title, clauses, operations }) => (
      <tr>
        <td>
          <a href={pageOf(id)}>
            <Text of={title} />
          </a>
        </td>
        <td data-name="Clauses">
          {thousands(clauses.length)}
          {clauses.some(({ outcome }) => outcome !== undefined)
            ? `, ${thousands(clauses.filter(({ outcome }) => outcome === 'verified').length)} verified`
            : ''}
        </td>
        <td data-name="Operations">{thousands(operations.length)}</td>
      </tr>
    ))}
  </Table>
)

const Document = ({ title, clauses }: { title: string; clauses: SiteClause[] }): JSX.Element => {
  const sections = new Map<string, SiteClause[]>()
  for (const clause of bySection(clauses)) {
    const section = firstSection(clause.source.section)
    sections.set(section, [...(sections.get(section) ?? []), clause])
  }
  return (
    <div class="item">
      <h3>
        <Text of={title} />
      </h3>
      {[...sections].map(([section, mine]) => (
        <details>
          <summary>
            Section <Text of={section} />, {plural(mine.length, 'clause')}
          </summary>
          <p class="ids">
            {mine.map((clause) => (
              <IdLink to={hrefOf(clause)} id={clause.id} />
            ))}
          </p>
        </details>
      ))}
    </div>
  )
}

const Clauses = ({ site, hasRun }: { site: ContractSite; hasRun: boolean }): JSX.Element => {
  const all = site.engines.flatMap((engine) => engine.clauses)
  return (
    <ClauseList
      caption="All clauses by engine"
      columns={['Clause', ...(hasRun ? ['Outcome'] : []), 'Level', 'Statement']}
      groups={site.engines.map(({ title, clauses }) => ({
        title: <GroupTitle title={title} say={plural(clauses.length, 'clause')} />,
        rows: clauses.map((clause) => row(clause)),
      }))}
      engines={site.engines.map(({ id }) => id)}
      outcomes={CLAUSE_OUTCOMES.map((outcome) => ({
        value: outcome,
        label: CLAUSE_WORDS[outcome].label,
        like: outcome,
        count: all.filter((clause) => clause.outcome === outcome).length,
      }))}
    />
  )
}

const row = (clause: SiteClause): JSX.Element => (
  <ClauseRow clause={clause} outcome={clause.outcome}>
    <td>
      <IdLink to={hrefOf(clause)} id={clause.id} />
    </td>
    {clause.outcome === undefined ? null : (
      <td>
        <ClauseBadge outcome={clause.outcome} />
      </td>
    )}
    <td>
      <LevelTag level={clause.level} />
    </td>
    <td>
      <Prose of={clause.text} />
      <span class="soft">
        <Text of={`${clause.source.title}, ${clause.source.section}`} />
      </span>
    </td>
  </ClauseRow>
)
