import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import { shows, withPages } from './chat-pages.js'

withPages('choices that a bot offers', (at) => {
  afterEach(() => at.closeWindows())

  it('are buttons, which send their reply to the same conversation', async () => {
    const { alice, bob } = at.cast.people
    const { design } = at.cast.channels
    const choice = (short_name: string, long_name: string, reply: string) => ({
      type: 'multiple_choice',
      short_name,
      long_name,
      reply,
    })
    const answer = await bob.post('/messages', {
      type: 'channel',
      to: design,
      topic: 'quiz',
      content: 'Which one?',
      widget_content: JSON.stringify({
        widget_type: 'zform',
        extra_data: {
          type: 'choices',
          heading: 'Which <b>one</b>?',
          choices: [choice('A', 'The first', 'answer A'), choice('B', '', 'answer **B**')],
        },
      }),
    })
    assert.equal(answer.status, 200, answer.text)
    const page = await at.open('alice', `#narrow/channel/${design}/topic/quiz`)
    const choices = page.locator('parley-widget')
    await choices.getByText('Which <b>one</b>?').waitFor()
    assert.equal(await choices.getByText('The first').count(), 1)

    await page.locator('.row').first().focus()
    await choices.getByRole('button', { name: 'B', exact: true }).focus()
    await page.keyboard.press('Enter')
    await shows(page, 'answer B')

    const { body } = await bob.get('/messages', {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      apply_markdown: false,
    })
    const [reply] = body.messages
    assert.deepEqual(
      [reply!.sender_id, reply!.stream_id, reply!.subject, reply!.content],
      [alice.id, design, 'quiz', 'answer **B**'],
    )
    await choices.getByRole('button', { name: 'The first' }).click()
    await shows(page, 'answer A')
  })
})
