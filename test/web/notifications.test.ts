import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { BrowserContext, Page } from 'playwright-core'

import { until } from '../support/waiting.js'
import type { TestPage } from './browser.js'
import { chooseInMenu, hasInMenu, inList, shows, userMenu, withPages } from './chat-pages.js'

interface Shown {
  readonly title: string
  readonly body: string
  readonly tag: string
  readonly isClosed: boolean
}

interface Recorded {
  readonly notices: (Shown & { readonly notice: Notification })[]
  readonly asked: number
  readonly sounds: number
}

/** Writes down what the page does with notifications and sounds. */
function record(): void {
  const notices: object[] = []
  const recorded = { notices, asked: 0, sounds: 0 }
  const Original = window.Notification
  class Recording extends Original {
    static override requestPermission(): Promise<NotificationPermission> {
      recorded.asked += 1
      return Original.requestPermission()
    }

    constructor(title: string, options: NotificationOptions) {
      super(title, options)
      const { body, tag } = options
      const entry = { title, body, tag, isClosed: false, notice: this }
      notices.push(entry)
      this.close = () => {
        entry.isClosed = true
        super.close()
        this.dispatchEvent(new Event('close'))
      }
    }
  }
  class Sounds extends OscillatorNode {
    constructor(context: BaseAudioContext, options: OscillatorOptions) {
      super(context, options)
      recorded.sounds += 1
    }
  }
  Object.assign(window, { recorded, Notification: Recording, OscillatorNode: Sounds })
}

function recordedOf(page: Page): Promise<Omit<Recorded, 'notices'> & { notices: Shown[] }> {
  return page.evaluate(() => {
    // The script of this test has added it.
    const { recorded } = window as unknown as { readonly recorded: Recorded }
    const notices = recorded.notices.map(({ title, body, tag, isClosed }) => ({
      title,
      body,
      tag,
      isClosed,
    }))
    return { notices, asked: recorded.asked, sounds: recorded.sounds }
  })
}

const noticesOf = async (page: Page): Promise<Shown[]> => (await recordedOf(page)).notices

const soundsOf = async (...tabs: readonly Page[]): Promise<number> => {
  const recorded = await Promise.all(tabs.map(recordedOf))
  return recorded.reduce((sum, { sounds }) => sum + sounds, 0)
}

withPages(
  'notifications',
  (at) => {
    afterEach(() => at.closeWindows())

    const topic = (name: string): string =>
      `#narrow/channel/${at.cast.channels.design}/topic/${name}`

    const prepare = async (context: BrowserContext): Promise<void> => {
      await context.grantPermissions(['notifications'], { origin: at.host.origin })
      await context.addInitScript(record)
    }

    /** A window of alice that records, with notifications turned on. */
    const open = async (name: string): Promise<TestPage> => {
      await at.cast.people.alice.say(at.cast.channels.design, name, 'Mine')
      const page = await at.open('alice', topic(name))
      await prepare(page.context())
      await page.reload()
      await shows(page, 'Mine')
      await chooseInMenu(page, 'Turn on notifications')
      await page.getByText('Notifications are on.').waitFor()
      return page
    }

    it('asks on a click only, and can be turned off', async () => {
      const { alice, bob } = at.cast.people
      await alice.say(at.cast.channels.design, 'asked', 'Mine')
      const page = await at.open('alice', topic('asked'))
      await prepare(page.context())
      await page.reload()
      assert.ok(await hasInMenu(page, 'Turn on notifications'))
      assert.equal((await recordedOf(page)).asked, 0)
      await chooseInMenu(page, 'Turn on notifications')
      await page.getByText('Notifications are on.').waitFor()
      assert.ok(await hasInMenu(page, 'Turn off notifications'))
      assert.equal((await recordedOf(page)).asked, 1)
      await bob.whisper([alice], 'First')
      await until('a notification', async () => (await noticesOf(page)).length === 1)

      await page.reload()
      await chooseInMenu(page, 'Turn off notifications')
      await page.getByText('Notifications are off.').waitFor()
      await bob.whisper([alice], 'Second')
      await inList(page, 'Bob Test').locator('.count').getByText('2', { exact: true }).waitFor()
      await chooseInMenu(page, 'Turn on notifications')
      await page.getByText('Notifications are on.').waitFor()
      await bob.whisper([alice], 'Third')
      await until('a notification', async () => (await noticesOf(page)).length === 1)
      assert.deepEqual(
        (await noticesOf(page)).map(({ body }) => body),
        ['Third'],
      )
    })

    it('tells about direct messages and mentions, once, with a sound, and nothing of what is visible', async () => {
      const { alice, bob } = at.cast.people
      const { design, general } = at.cast.channels
      const page = await open('visible')
      // It is before the eyes.
      await bob.say(design, 'visible', '@**Alice Test** look')
      await shows(page, 'look')
      // The settings do not ask for it.
      await bob.say(general, 'elsewhere', 'For all')
      const direct = await bob.whisper([alice], '**Bold** <i>text</i>')
      await until('a notification', async () => (await noticesOf(page)).length === 1)
      await bob.say(general, 'elsewhere', '@**Alice Test** come')
      await until('a notification', async () => (await noticesOf(page)).length === 2)
      const notices = await noticesOf(page)
      assert.deepEqual(
        notices.map(({ title, body }) => [title, body]),
        [
          ['Bob Test', 'Bold <i>text</i>'],
          ['Bob Test in #general › elsewhere', '@Alice Test come'],
        ],
      )
      assert.ok(notices[0]?.tag.endsWith(` ${direct}`))
      // Two tones each. A tab has to be given a lock first.
      await until('the sounds', async () => (await soundsOf(page)) === 4)

      // A click leads there; what is read is closed.
      await page.evaluate(() => {
        // The script of this test has added it.
        const { recorded } = window as unknown as { readonly recorded: Recorded }
        recorded.notices[1]?.notice.dispatchEvent(new Event('click'))
      })
      await page.getByRole('heading', { name: '#general › elsewhere' }).waitFor()
      assert.deepEqual(
        (await noticesOf(page)).map(({ isClosed }) => isClosed),
        [false, true],
      )
      await alice.post('/messages/flags', { messages: [direct], op: 'add', flag: 'read' })
      await until('an end', async () => (await noticesOf(page))[0]?.isClosed)
    })

    it('tells about the visible conversation while the window is not used', async () => {
      const { bob } = at.cast.people
      const page = await open('away')
      await page.evaluate(() => {
        document.hasFocus = () => false
        Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
      })
      await bob.say(at.cast.channels.design, 'away', '@**Alice Test** are you there?')
      await until('a notification', async () => (await noticesOf(page)).length === 1)
    })

    it('follows the settings of the user, of channels and of topics', async () => {
      const { alice, bob } = at.cast.people
      const { design, general } = at.cast.channels
      const page = await open('settings')
      const set = async (settings: Record<string, unknown>): Promise<void> => {
        assert.equal((await alice.patch('/settings', settings)).status, 200)
      }
      const subscription = async (property: string, value: boolean): Promise<void> => {
        const data = [{ stream_id: general, property, value }]
        const answer = await alice.post('/users/me/subscriptions/properties', {
          subscription_data: data,
        })
        assert.equal(answer.status, 200)
      }
      const policy = async (name: string, visibility_policy: number): Promise<void> => {
        const answer = await alice.post('/user_topics', {
          stream_id: general,
          topic: name,
          visibility_policy,
        })
        assert.equal(answer.status, 200)
      }
      await set({ enable_desktop_notifications: false, enable_sounds: false })
      await bob.whisper([alice], 'Not shown')
      await set({
        enable_desktop_notifications: true,
        pm_content_in_desktop_notifications: false,
        enable_followed_topic_desktop_notifications: true,
        enable_stream_desktop_notifications: false,
      })
      await bob.whisper([alice], 'Secret')
      await policy('followed', 3)
      await policy('muted', 1)
      await bob.say(general, 'other', 'Not shown')
      await bob.say(general, 'followed', 'Followed')
      await subscription('desktop_notifications', true)
      await bob.say(general, 'muted', 'Not shown')
      await bob.say(general, 'other', 'Asked for')
      await bob.say(design, 'other', 'Not shown')
      await bob.say(general, 'muted', '@**Alice Test** last')
      await until('the last one', async () =>
        (await noticesOf(page)).some(({ body }) => body.endsWith('last')),
      )
      assert.deepEqual(
        (await noticesOf(page)).map(({ body }) => body),
        ['New direct message', 'Followed', 'Asked for', '@Alice Test last'],
      )
      // That of followed topics, whose setting is still on.
      await until('its sound', async () => (await soundsOf(page)) === 2)
      await set({ enable_sounds: true, pm_content_in_desktop_notifications: true })
    })

    it('has one sound, and the same notification, in several tabs', async () => {
      const { alice, bob } = at.cast.people
      const page = await open('tabs')
      const other = await page.context().newPage()
      await other.goto(`${at.address}${topic('another')}`)
      await userMenu(other).waitFor()
      const tabs = [page, other]
      await bob.whisper([alice], 'For all tabs')
      for (const tab of tabs) {
        await until('a notification', async () => (await noticesOf(tab)).length === 1)
      }
      const [one, two] = await Promise.all(tabs.map(noticesOf))
      assert.equal(one?.[0]?.tag, two?.[0]?.tag)
      await until('the sound', async () => (await soundsOf(...tabs)) === 2)
      // One tab shows the message: the other one says nothing.
      await bob.say(at.cast.channels.design, 'tabs', '@**Alice Test** seen')
      await shows(page, 'seen')
      await bob.whisper([alice], 'Later')
      await until('a notification', async () => (await noticesOf(other)).length === 2)
      assert.deepEqual(
        (await noticesOf(other)).map(({ body }) => body),
        ['For all tabs', 'Later'],
      )
      await until('the sound', async () => (await soundsOf(...tabs)) >= 4)
      assert.equal(await soundsOf(...tabs), 4)
      await inList(page, 'Bob Test').waitFor()
    })
  },
  { needsWholeBrowser: true },
)
