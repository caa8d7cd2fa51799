import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import { until } from '../support/waiting.js'
import type { TestPage } from './browser.js'
import { hasFocus, inList, messagesOf, shows, withPages } from './chat-pages.js'

async function choose(page: TestPage, action: string): Promise<void> {
  await page.getByRole('button', { name: 'Actions for this conversation' }).click()
  await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click()
}

withPages('the actions for a conversation', (at) => {
  afterEach(() => at.closeWindows())

  const topic = (name: string): string =>
    `#narrow/channel/${at.cast.channels.general}/topic/${encodeURIComponent(name)}`
  const policyOf = async (name: string): Promise<number | undefined> => {
    const { body } = await at.cast.people.alice.post('/register', {
      fetch_event_types: ['user_topic'],
    })
    const topics: { topic_name: string; visibility_policy: number }[] = body.user_topics
    return topics.find(({ topic_name }) => topic_name === name)?.visibility_policy
  }

  it('mute, follow and unmute a topic', async () => {
    const { alice, bob } = at.cast.people
    const { general } = at.cast.channels
    await bob.say(general, 'noise', 'One')
    const page = await at.open('alice', topic('noise'))
    await shows(page, 'One')

    await choose(page, 'Mute the topic')
    await inList(page, 'noise').getByText('muted').waitFor()
    assert.equal(await policyOf('noise'), 1)
    await choose(page, 'Unmute the topic')
    await until('no policy', async () => (await policyOf('noise')) === undefined)
    await choose(page, 'Follow the topic')
    await until('the policy', async () => (await policyOf('noise')) === 3)
    await choose(page, 'Stop following the topic')
    await until('no policy', async () => (await policyOf('noise')) === undefined)

    // In a muted channel a topic is muted until it is unmuted itself.
    await inList(page, 'general').click()
    await choose(page, 'Mute the channel')
    await inList(page, 'general').getByText('muted').waitFor()
    await page.goBack()
    await choose(page, 'Unmute the topic')
    await until('the policy', async () => (await policyOf('noise')) === 2)
    await alice.post('/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: general, property: 'is_muted', value: false }],
    })
  })

  it('mark a topic, a channel and everything as read', async () => {
    const { alice, bob } = at.cast.people
    const { general, design } = at.cast.channels
    const page = await at.open('alice', '#narrow/is/mentioned')
    const unread = async (): Promise<number> => {
      const narrow = [{ operator: 'is', operand: 'unread' }]
      const query = { anchor: 'oldest', num_before: 0, num_after: 100, narrow }
      return (await alice.get('/messages', query)).body.messages.length
    }
    for (const name of ['first', 'second']) await bob.say(general, name, `In the ${name}`)
    await bob.say(design, 'third', 'In the third')
    await bob.whisper([alice], 'To you')
    // A hidden page marks nothing as read by itself.
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    const before = await unread()
    assert.ok(before >= 4)

    await inList(page, 'general').click()
    await inList(page, 'first').click()
    await choose(page, 'Mark the topic as read')
    await until('the topic', async () => (await unread()) === before - 1)
    await inList(page, 'general').click()
    await page.getByRole('heading', { name: '#general', exact: true }).waitFor()
    await choose(page, 'Mark the channel as read')
    await inList(page, 'general').locator('.count').waitFor({ state: 'detached' })
    await inList(page, 'All messages').click()
    await choose(page, 'Mark all messages as read')
    assert.ok((await unread()) > 0)
    await page.getByRole('dialog').getByRole('button', { name: 'Mark as read' }).click()
    await until('everything', async () => (await unread()) === 0)
  })

  it('mark a topic as resolved and not so, which its window follows', async () => {
    const { bob } = at.cast.people
    const { general } = at.cast.channels
    await bob.say(general, 'question', 'What is it?')
    const page = await at.open('alice', topic('question'))
    await shows(page, 'What is it?')

    await choose(page, 'Mark as resolved')
    await page.getByRole('heading', { name: '#general › ✔ question' }).waitFor()
    await shows(page, 'What is it?')
    const other = await at.open('alice', `#narrow/channel/${general}`)
    await shows(other, 'What is it?')
    await choose(page, 'Mark as unresolved')
    await page.getByRole('heading', { name: '#general › question' }).waitFor()
    await other
      .locator('.place-bar')
      .filter({ hasText: /^[^✔]*question\s*$/ })
      .first()
      .waitFor()
    for (const each of [page, other]) {
      await shows(each, 'What is it?')
      assert.equal(await each.locator('.mark', { hasText: 'moved' }).count(), 0)
    }
  })

  it('delete a topic after a question, for those who may', async () => {
    const { bob } = at.cast.people
    const { general } = at.cast.channels
    await bob.say(general, 'gone', 'Gone soon')
    const other = await at.open('bob', topic('gone'))
    await other.getByRole('button', { name: 'Actions for this conversation' }).click()
    await other.getByRole('button', { name: 'Copy link' }).waitFor()
    assert.equal(await other.getByRole('button', { name: 'Delete the topic' }).count(), 0)
    await other.keyboard.press('Escape')
    const page = await at.open('olga', topic('gone'))
    await shows(page, 'Gone soon')

    await choose(page, 'Delete the topic')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await shows(page, 'Gone soon')
    await choose(page, 'Delete the topic')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await messagesOf(page).waitFor({ state: 'detached' })
    await messagesOf(other).waitFor({ state: 'detached' })
  })

  it('are used by keyboard, beside their button, and give the focus back', async () => {
    await at.cast.people.bob.say(at.cast.channels.general, 'keys', 'Look')
    const page = await at.open('alice', topic('keys'))
    await shows(page, 'Look')
    const button = page.getByRole('button', { name: 'Actions for this conversation' })
    await button.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Actions for this conversation' })
    await dialog.waitFor()
    assert.ok(await hasFocus(dialog.getByRole('button').first()))
    await page.keyboard.press('ArrowDown')
    assert.ok(await hasFocus(dialog.getByRole('button').nth(1)))
    await page.keyboard.press('End')
    assert.ok(await hasFocus(dialog.getByRole('button', { name: 'Cancel' })))
    const [opener, list] = await Promise.all([button.boundingBox(), dialog.boundingBox()])
    assert.ok(opener !== null && list !== null)
    assert.ok(Math.abs(list.y - (opener.y + opener.height)) < 8, `${list.y} of ${opener.y}`)
    assert.ok(list.x + list.width <= 1200)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.ok(await hasFocus(button))
  })
})
