import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { withCleanUp } from '../harness/clean-up.js'
import { temporaryFolder } from '../harness/databases.js'
import { interleave, series, type Sample } from '../harness/interleave.js'
import type { Row } from '../harness/row.js'

/** Each starts two processes. */
const rounds = 2

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const script = fileURLToPath(new URL('../server/import-process.cjs', import.meta.url))
const builtCore = join(root, 'packages/core/dist/index.js')

/** What importing the built core, and starting a server, takes of a new process. */
export const importAndStart: Row = {
  name: 'import and start',
  run: () =>
    withCleanUp(async (opened) => {
      await run(process.execPath, [join(root, 'scripts/build-packages.mjs')])
      const folder = await temporaryFolder(opened)
      const express = createRequire(join(root, 'packages/express/package.json')).resolve('express')
      const knex = createRequire(import.meta.url).resolve('knex')
      const measure = async (modules: readonly string[]): Promise<Sample> => {
        const { stdout } = await run(process.execPath, [script, JSON.stringify(modules)])
        return JSON.parse(stdout) as Sample
      }
      let started = 0
      const start = async (): Promise<Sample> => {
        const filename = join(folder, `${(started += 1)}.sqlite`)
        const { stdout } = await run(process.execPath, [
          script,
          JSON.stringify([builtCore]),
          filename,
        ])
        return JSON.parse(stdout) as Sample
      }
      const imported = await interleave(
        () => measure([express, knex]),
        () => measure([builtCore]),
        rounds,
      )
      const ready = await interleave(() => measure([builtCore]), start, rounds)
      return [
        {
          name: 'import of @parley/core, built, vs of express and knex',
          unit: 'CPU ms',
          floor: series(imported.floor, 'processorMilliseconds'),
          ours: series(imported.ours, 'processorMilliseconds'),
          aim: { atMost: 2 },
        },
        {
          name: 'memory of the process after it',
          unit: 'MB',
          floor: series(imported.floor, 'residentMegabytes'),
          ours: series(imported.ours, 'residentMegabytes'),
          aim: { atMost: 1.5 },
        },
        {
          name: 'import alone vs import, new tables and start, sqlite',
          unit: 'CPU ms',
          floor: series(ready.floor, 'processorMilliseconds'),
          ours: series(ready.ours, 'processorMilliseconds'),
          aim: undefined,
        },
      ]
    }),
}
