// Writes the types of the library into dist/: those of its module, and of the modules that these types name.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import ts from 'typescript'

const LIBRARY = 'harness/cli/library.ts'
const NAMED = /(?:from|import\()\s*['"](\.[^'"]+)['"]/g
const compilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  isolatedDeclarations: true,
  allowImportingTsExtensions: true,
  verbatimModuleSyntax: true,
}

/** Writes the declarations. @throws Error that names an export without a type of its own, which would have to be inferred */
export const declare = (root) => {
  const waiting = [LIBRARY]
  // More are added on the way.
  for (const path of waiting) {
    const source = readFileSync(join(root, path), 'utf8')
    const { outputText, diagnostics } = ts.transpileDeclaration(source, { fileName: path, reportDiagnostics: true, compilerOptions })
    for (const { messageText } of diagnostics ?? []) throw new Error(`${path}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`)
    const target = join(root, 'dist', path.replace(/\.tsx?$/, '.d.ts'))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, outputText)
    for (const [, name] of outputText.matchAll(NAMED)) {
      const named = posix.join(posix.dirname(path), name)
      if (!waiting.includes(named)) waiting.push(named)
    }
  }
}
