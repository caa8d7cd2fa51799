import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyDatabase } from '../support/host.js'

const daySeconds = 86_400
const roundSeconds = 1800
const roundsPerDay = 48
const today = Date.UTC(2026, 0, 15, 12) / 1000

everyDatabase(
  'expired messages whose ids are not in the order of their times',
  'express',
  (at) => {
    it('are deleted within a day, and others within half an hour', async () => {
      const { alice } = at.people
      const { design, general } = at.channels
      const passRound = async (): Promise<void> => {
        const isOver = at.clock.next('set', roundSeconds)
        at.clock.fire(roundSeconds)
        await isOver
      }
      const textsIn = async (channel: number): Promise<string[]> => {
        const narrow = [{ operator: 'channel', operand: channel }]
        const page = { narrow, anchor: 'newest', num_before: 100, num_after: 0 }
        const { body } = await alice.get('/messages', { ...page, apply_markdown: false })
        return (body.messages as { content: string }[]).map(({ content }) => content)
      }
      await passRound()
      at.clock.jump(2 * daySeconds)

      await passRound()
      assert.deepEqual(await textsIn(general), ['Young'])
      assert.deepEqual(await textsIn(design), ['Young', 'Old'])
      for (let round = 2; round <= roundsPerDay; round += 1) await passRound()

      assert.deepEqual(await textsIn(design), ['Young'])
    })
  },
  {},
  {
    settings: { message_retention_days: 10 },
    more: ({ people, channels }) => {
      const sent = (channel_id: number, content: string, days: number) => ({
        sender_id: people.alice,
        channel_id,
        topic: 'a',
        content,
        sent_at_seconds: today - days * daySeconds,
      })
      return {
        messages: [
          sent(channels.design, 'Young', 1),
          sent(channels.design, 'Old', 9),
          sent(channels.general, 'Old', 9),
          sent(channels.general, 'Young', 1),
        ],
      }
    },
  },
)
