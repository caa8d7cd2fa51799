#!/usr/bin/env node
import { loadOptions } from './config-module.js'
import { runCommand } from './run-command.js'

async function main(): Promise<void> {
  const { text, errorText, exitCode } = await runCommand(process.argv.slice(2), loadOptions)
  process.stderr.write(errorText)
  // Ends connections that the module of the options has opened, once everything is printed.
  process.stdout.write(text, () => process.exit(exitCode))
}

void main()
