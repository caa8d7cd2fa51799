import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'

import { BigBlueButtonServer } from '../support/big-blue-button.js'
import { until } from '../support/waiting.js'
import { hasFocus, userMenu, withPages } from './chat-pages.js'

const link = /^\[Join the video call\]\((\S+)\)\s$/

describe('a button for video calls', () => {
  const meetings = new BigBlueButtonServer()
  before(() => meetings.start())
  after(() => meetings.stop())

  withPages(
    'in the field for messages',
    (at) => {
      afterEach(() => at.closeWindows())

      it('adds a link of the provider that the organization has chosen, by keyboard', async () => {
        const { adam } = at.cast.people
        const { general } = at.cast.channels
        await adam.patch('/realm', { video_chat_provider: 0 })
        const page = await at.open('alice', `#narrow/channel/${general}/topic/calls`)
        const button = page.getByRole('button', { name: 'Add a video call' })
        const field = page.locator('parley-composer textarea')
        // What is loaded later is there.
        await userMenu(page).waitFor()
        assert.equal(await button.count(), 0)
        const set = async (params: Record<string, unknown>): Promise<void> => {
          const answer = await adam.patch('/realm', params)
          assert.equal(answer.status, 200, answer.text)
        }
        await set({
          video_chat_provider: 1,
          jitsi_server_url: JSON.stringify('https://jitsi.example.com'),
        })
        await button.waitFor()
        await button.press('Enter')
        await until('the link', async () => link.test(await field.inputValue()))
        const jitsi = link.exec(await field.inputValue())?.[1] ?? ''
        assert.match(jitsi, /^https:\/\/jitsi\.example\.com\/[0-9a-f]{32}$/)
        assert.ok(await hasFocus(field))

        await set({ video_chat_provider: 4 })
        await field.fill('')
        // The server may not answer: what is written stays.
        await field.fill('See you')
        await page.route('**/calls/bigbluebutton/create?*', (route) => route.abort())
        await button.click()
        await page.getByText('That did not work: The server cannot be reached.').waitFor()
        assert.equal(await field.inputValue(), 'See you')
        page.problems.length = 0
        await page.unroute('**/calls/bigbluebutton/create?*')
        await field.fill('')
        await button.click()
        await until('the link', async () => link.test(await field.inputValue()))
        const url = link.exec(await field.inputValue())?.[1] ?? ''
        assert.match(url, new RegExp(`^${at.host.origin}/api/v1/calls/bigbluebutton/join`))
        assert.match(decodeURIComponent(url).replaceAll('+', ' '), /Call in #general › calls/)
        await set({ video_chat_provider: 0 })
        await button.waitFor({ state: 'detached' })
      })
    },
    {
      host: {
        get videoCalls() {
          return { bigBlueButton: { url: meetings.url, secret: meetings.secret } }
        },
      },
    },
  )
})
