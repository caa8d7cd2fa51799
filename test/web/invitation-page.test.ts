import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { databaseColumns } from '../support/databases.js'
import { FakeMail } from '../support/fake-mail.js'
import { TestHost, type HostCase } from '../support/host.js'
import { invite, inviteLink, joinPathIn, mailTo, strongPassword } from '../support/invitations.js'
import { violations } from './axe.js'
import { TestBrowser } from './browser.js'

const [database] = databaseColumns()
if (database === undefined) throw new Error('There is no database to test with.')

describe('the page of an invitation in a browser', () => {
  const mail = new FakeMail()
  const host = new TestHost('express', database, { mail, invitations: { termsUrl: '/terms' } })
  let browser: TestBrowser
  let at: HostCase
  before(async () => {
    await host.start()
    at = { ...(await host.organization()), host, clock: host.clock }
    browser = await TestBrowser.start()
  })
  after(async () => {
    await browser.stop()
    await host.stop()
  })

  const windowWith = (options: object) =>
    browser.window({ extraHTTPHeaders: { 'x-organization': at.subdomain }, ...options })
  const addressOf = (path: string): string => `${host.origin}/api/v1${path}`

  it('signs a person up without scripts, first with a mistake', async () => {
    const page = await windowWith({ javaScriptEnabled: false })
    await page.goto(addressOf(await inviteLink(at.people.adam)))
    await page.getByLabel('Email address').fill('lena@browser.example')
    await page.getByRole('button', { name: 'Send the mail' }).click()
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()

    const { text } = await mailTo(mail, 'lena@browser.example')
    await page.goto(addressOf(joinPathIn(text)))
    const fill = async (password: string): Promise<void> => {
      await page.getByLabel('Password').fill(password)
      await page.getByLabel('I accept the terms').check()
      await page.getByRole('button', { name: 'Create account' }).click()
    }
    await page.getByLabel('Full name').fill('Lena Link')
    await fill('aaaaaaaaa')
    await page.getByRole('alert').getByText('The password is too weak.').waitFor()
    assert.equal(await page.getByLabel('Full name').inputValue(), 'Lena Link')
    await fill(strongPassword)
    await page.getByText('Your account was created.').waitFor()

    const login = { username: 'lena@browser.example', password: strongPassword }
    assert.equal((await at.nobody.post('/fetch_api_key', login)).status, 200)
    // The refused form is the only one.
    assert.deepEqual(
      page.problems.map((text) => /status of \d+/.exec(text)?.[0]),
      ['status of 400'],
    )
  })

  it('has no violation of the rules of accessibility', async () => {
    const page = await windowWith({ bypassCSP: true })
    const account = await invite(mail, at.people.alice, 'axe@browser.example')
    const address = await inviteLink(at.people.adam)
    for (const path of [account, address, '/accounts/join/x']) {
      await page.goto(addressOf(path))
      assert.deepEqual(await violations(page), [], path)
    }
  })
})
