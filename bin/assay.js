#!/usr/bin/env node
import { main } from '../dist/harness/cli/main.js'

await main(process.argv)
