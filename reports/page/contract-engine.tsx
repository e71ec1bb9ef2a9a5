/** The page of one engine of the contract: its clauses by section, its operations, its schemas. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
import type { JSX } from 'preact'
import {
  anchorOf,
  bySection,
  type ContractSite,
  firstSection,
  pageOf,
  type SiteClause,
  type SiteEngine,
  type SiteRun,
} from '../contract-site.ts'
import { sourceOf } from '../lead.ts'
import { plural } from '../text.ts'
import { About, ClauseArticle } from './contract-parts.tsx'
import { type Entry, renderFrame } from './frame.tsx'
import { Block, clauseAnchor, IdLink, Section, Text } from './parts.tsx'
import { Table } from './table.tsx'

interface Part {
  id: string
  title: string
  clauses: SiteClause[]
}

/** Clauses by the section of the document in which they stand. */
const partsOf = (engine: SiteEngine): Part[] => {
  const parts = new Map<string, SiteClause[]>()
  for (const clause of bySection(engine.clauses)) {
    const { title: document, section } = clause.source
    const title = sourceOf({ source: { title: document, section: firstSection(section) } })
    parts.set(title, [...(parts.get(title) ?? []), clause])
  }
  return [...parts].map(([title, clauses], at) => ({ id: `section-${at + 1}`, title, clauses }))
}

/** Renders the page. */
export const renderContractEngine = (site: ContractSite, engine: SiteEngine, run?: SiteRun): string => {
  const parts = partsOf(engine)
  const owners = new Map(site.engines.flatMap(({ id, operations }) => operations.map((operation) => [operation.id, id] as const)))
  const pages = new Map(site.engines.flatMap(({ id, clauses }) => clauses.map((clause) => [clause.id, id] as const)))
  const entries: Entry[] = [
    ...parts.map(({ id, title, clauses }): Entry => [id, title, clauses.length]),
    ...(engine.operations.length === 0 ? [] : [['operations', 'Operations', engine.operations.length] as Entry]),
    ...(engine.schemas.length === 0 ? [] : [['schemas', 'Schemas', engine.schemas.length] as Entry]),
  ]
  return renderFrame({
    title: `${engine.title}: the contract (assay)`,
    about: <About run={run} version={site.version} />,
    gate: 'passed',
    entries,
    children: (
      <>
        <section id="engine" class="banner plain-banner" aria-labelledby="engine-title">
          <div class="headline t-observed">
            <p class="eyebrow">
              <a href="index.html">The contract</a>, <Text of={engine.api} />
            </p>
            <h1 id="engine-title">
              <Text of={engine.title} />
            </h1>
            <p class="lead">
              {plural(engine.clauses.length, 'clause')}, {plural(engine.operations.length, 'operation')}.
            </p>
          </div>
        </section>
        {parts.map(({ id, title, clauses }) => (
          <Section id={id} title={title} count={clauses.length}>
            {clauses.map((clause) => (
              <ClauseArticle clause={clause} engineOf={(operation) => owners.get(operation) ?? engine.id} />
            ))}
          </Section>
        ))}
        <Operations engine={engine} pageOfClause={(id) => pageOf(pages.get(id) ?? engine.id)} />
        <Schemas engine={engine} />
      </>
    ),
    end: 'Written by assay contract from the specs, which are data for any tool.',
  })
}

const Operations = ({ engine, pageOfClause }: { engine: SiteEngine; pageOfClause: (id: string) => string }): JSX.Element | null =>
  engine.operations.length === 0 ? null : (
    <Section
      id="operations"
      title="Operations"
      count={engine.operations.length}
      note="Paths below the base path of the API, with the statuses that the contract lists."
    >
      <Table caption="Operations" columns={['Operation', 'Request', 'Answers', 'Schemas', 'Clauses']}>
        {engine.operations.map(({ id, method, path, summary, statuses, schemas, clauses }) => (
          <tr id={anchorOf('operation', id)} tabIndex={-1} data-nav>
            <td>
              <span class="id">
                <Text of={id} />
              </span>
              <span class="soft">
                <Text of={summary} />
              </span>
            </td>
            <td class="path">
              <Text of={`${method} ${path}`} />
            </td>
            <td data-name="Answers">{statuses.join(', ')}</td>
            <td data-name="Schemas" class="ids">
              {schemas.length === 0 ? 'none' : null}
              {schemas.map((name) => (
                <IdLink to={`#${anchorOf('schema', name)}`} id={name} />
              ))}
            </td>
            <td data-name="Clauses" class="ids">
              {clauses.map((clause) => (
                <IdLink to={`${pageOfClause(clause)}#${encodeURIComponent(clauseAnchor(clause))}`} id={clause} />
              ))}
            </td>
          </tr>
        ))}
      </Table>
    </Section>
  )

const Schemas = ({ engine }: { engine: SiteEngine }): JSX.Element | null =>
  engine.schemas.length === 0 ? null : (
    <Section
      id="schemas"
      title="Schemas"
      count={engine.schemas.length}
      note="JSON Schema 2020-12; x-clause names the clause that a node decides."
    >
      {engine.schemas.map(({ name, text }) => (
        <div class="item" id={anchorOf('schema', name)} tabIndex={-1} data-anchor="">
          <h3>
            <Text of={name} />
          </h3>
          <Block text={text} label="JSON Schema" copy />
        </div>
      ))}
    </Section>
  )
