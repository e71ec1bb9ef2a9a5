/** Every format in which results are written down: its file, and what renders it. */
import type { Results } from '../../specs/meta/results.ts'
import { jsonText } from '../../specs/meta/unseen.ts'
import { renderJunit } from '../junit.ts'
import { renderMarkdown } from '../markdown.ts'
import type { TargetNights } from '../nights.ts'
import { renderPage } from '../page/document.tsx'
import { renderSarif } from '../sarif.ts'
import { renderAnnotations } from './annotations.ts'
import { renderBadge, renderShields } from './badge.ts'
import { renderCodeQuality } from './code-quality.ts'
import { renderPrometheus } from './prometheus.ts'
import { renderTap } from './tap.ts'

/** results.json comes first, so that it exists even where another one fails. */
export const WRITERS = {
  json: { file: 'results.json', render: (results: Results) => `${jsonText(results, 2)}\n` },
  html: { file: 'report.html', render: (results: Results, history?: TargetNights) => renderPage(results, history) },
  junit: { file: 'junit.xml', render: renderJunit },
  markdown: { file: 'summary.md', render: renderMarkdown },
  sarif: { file: 'report.sarif', render: renderSarif },
  annotations: { file: 'annotations.txt', render: renderAnnotations },
  codeQuality: { file: 'gl-code-quality-report.json', render: renderCodeQuality },
  badge: { file: 'badge.svg', render: renderBadge },
  shields: { file: 'badge.json', render: renderShields },
  tap: { file: 'results.tap', render: renderTap },
  prometheus: { file: 'metrics.prom', render: renderPrometheus },
} satisfies Record<string, { file: string; render: (results: Results, history?: TargetNights) => string }>

/** One way to write results down. */
export type Format = keyof typeof WRITERS

/** All formats, in the order in which they are written. */
export const FORMATS = Object.keys(WRITERS) as Format[]
