import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { it } from 'node:test'
import { promisify } from 'node:util'

import { makeBot } from '../support/bots.js'
import { everyDatabase } from '../support/host.js'

const run = promisify(execFile)
const page = new URL('../../docs/incoming-webhooks.md', import.meta.url)

everyDatabase(
  'the commands of docs/incoming-webhooks.md',
  'express',
  (at) => {
    it('send the messages that the page describes', async () => {
      const { alice } = at.people
      const { api_key } = await makeBot(alice, { bot_type: 2 })
      const blocks = [...(await readFile(page, 'utf8')).matchAll(/^```sh\n([^]*?)^```$/gm)]

      for (const [, command = ''] of blocks) {
        const here = command.replaceAll('https://chat.example.com', at.host.origin)
        const { stdout } = await run('sh', ['-ec', here], {
          env: { ...process.env, API_KEY: api_key },
        })
        assert.equal((JSON.parse(stdout) as { result: string }).result, 'success', stdout)
      }

      const { body } = await alice.get('/messages', {
        anchor: 'newest',
        num_before: blocks.length,
        num_after: 0,
        apply_markdown: false,
      })
      const sent = (body.messages as { subject: string; content: string }[]).map(
        ({ subject, content }) => [subject, content],
      )
      assert.deepEqual(sent, [
        ['builds', 'Build [#7](https://ci.example.com/7) is **broken**'],
        ['builds', '## [Build 8](https://ci.example.com/8)\n**State**: passed'],
        ['alerts', 'The disk of **db1** is full.'],
        ['JSON', '```json\n{\n  "event": "deployed",\n  "version": "1.2.0"\n}\n```'],
      ])
    })
  },
  // The commands do not name an organization, so it must be the only one.
  { resolveOrganization: undefined } as object,
)
