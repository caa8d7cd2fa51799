import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import { passwordOf } from '../support/cast.js'
import { until } from '../support/waiting.js'
import { hasFocus, openSection, withPages } from './chat-pages.js'

withPages(
  'the own account',
  (at) => {
    afterEach(() => at.closeWindows())

    it('shows its API key for the password, by keyboard', async () => {
      const { alice } = at.cast.people
      const page = await at.open('alice')
      const context = page.context()
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      const dialog = await openSection(page, 'Account')
      const name = dialog.getByLabel('E-mail address or user name')
      const password = dialog.getByLabel('Password')
      assert.equal(await name.inputValue(), alice.email)
      assert.equal(await dialog.getByLabel('API key', { exact: true }).count(), 0)
      await password.focus()
      await page.keyboard.type('a wrong one')
      await page.keyboard.press('Enter')
      await dialog.getByText(/^The API key is not shown\. .+/).waitFor()
      assert.equal(await password.inputValue(), 'a wrong one')
      page.problems.length = 0
      // Another account has a key of its own, which is not for this place.
      await name.fill(at.cast.people.bob.email)
      await password.fill(passwordOf('bob'))
      await password.press('Enter')
      await dialog.getByText('That is another account.').waitFor()
      await name.fill(alice.email)
      await password.fill(passwordOf('alice'))
      await password.press('Enter')
      const key = dialog.getByLabel('API key', { exact: true })
      await until('the key', () => hasFocus(key))
      assert.equal(await key.inputValue(), alice.credentials?.apiKey)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await dialog.getByText('Copied: API key').waitFor()
      const copied = await page.evaluate(() => navigator.clipboard.readText())
      assert.equal(copied, alice.credentials?.apiKey)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await key.waitFor({ state: 'detached' })
      assert.equal(await password.inputValue(), '')
    })

    it('shows its API key for the password and the code of a second factor', async () => {
      const page = await at.open('carol')
      const dialog = await openSection(page, 'Account')
      const password = dialog.getByLabel('Password')
      assert.equal(await dialog.getByLabel('Code of the second factor').count(), 0)
      await password.fill(passwordOf('carol'))
      await password.press('Enter')
      const code = dialog.getByLabel('Code of the second factor')
      await until('the code', () => hasFocus(code))
      await page.keyboard.type('654321')
      await page.keyboard.press('Enter')
      await dialog.getByText(/^The API key is not shown\. The code is incorrect/).waitFor()
      await code.fill('123456')
      await code.press('Enter')
      const key = dialog.getByLabel('API key', { exact: true })
      assert.equal(await key.inputValue(), at.cast.people.carol.credentials?.apiKey)
      page.problems.length = 0
    })

    it('marks its API key if the browser does not let the page copy it', async () => {
      const { alice } = at.cast.people
      const page = await at.open('alice')
      const dialog = await openSection(page, 'Account')
      await dialog.getByLabel('Password').fill(passwordOf('alice'))
      await dialog.getByLabel('Password').press('Enter')
      await page.evaluate(() => {
        // As on a page without HTTPS.
        Object.defineProperty(navigator, 'clipboard', { value: undefined })
      })
      await dialog.getByRole('button', { name: 'Copy: API key' }).click()
      await dialog
        .getByText('The browser does not copy it. Copy it from the field: API key')
        .waitFor()
      const marked = await dialog
        .getByLabel('API key', { exact: true })
        .evaluate((input: HTMLInputElement) =>
          input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0),
        )
      assert.equal(marked, alice.credentials?.apiKey)
    })

    it('gets another API key after a question, and is logged out with the old one', async () => {
      const { carol } = at.cast.people
      const page = await at.open('carol')
      const dialog = await openSection(page, 'Account')
      const button = dialog.getByRole('button', { name: 'Replace the API key' })
      await button.click()
      const question = page.getByRole('dialog', { name: /^Replace your API key\?/ })
      await question.getByRole('button', { name: 'Cancel' }).click()
      assert.ok(await hasFocus(button))
      assert.equal((await carol.get('/users/me')).status, 200)
      await page.route('**/users/me/api_key/regenerate', (route) => route.abort())
      await button.click()
      await question.getByRole('button', { name: 'Replace', exact: true }).click()
      await dialog
        .getByText('The API key was not replaced. The server cannot be reached.')
        .waitFor()
      page.problems.length = 0
      await page.unroute('**/users/me/api_key/regenerate')
      await button.click()
      await question.getByRole('button', { name: 'Replace', exact: true }).click()
      await page.getByText('You are signed out.').waitFor()
      assert.equal((await carol.get('/users/me')).status, 401)
    })

    it('gets another API key, which is shown, in a session of the product', async () => {
      const page = await at.window({ extraHTTPHeaders: { 'x-product-user': 'ada' } })
      await page.goto(at.address)
      const dialog = await openSection(page, 'Account')
      await dialog.getByRole('button', { name: 'Replace the API key' }).click()
      const question = page.getByRole('dialog', { name: /^Replace your API key\?/ })
      await question.getByRole('button', { name: 'Replace', exact: true }).click()
      await dialog.getByText('This is your new API key.').waitFor()
      const key = await dialog.getByLabel('API key', { exact: true }).inputValue()
      const ada = at.host.client('', { email: 'ada@product.example', apiKey: key }, 0, 'ada')
      assert.equal((await ada.get('/users/me')).body.full_name, 'Ada Product')
    })

    it('is deactivated after a question that names the bots', async () => {
      const { olga, alice } = at.cast.people
      const page = await at.open('alice')
      const dialog = await openSection(page, 'Account')
      const button = dialog.getByRole('button', { name: 'Deactivate your account' })
      await button.click()
      const question = page.getByRole('dialog', { name: /^Deactivate your account\?/ })
      await question.getByText('Your bots are deactivated too: Bot Test.').waitFor()
      await question.getByRole('button', { name: 'Cancel' }).click()
      assert.ok(await hasFocus(button))
      await button.click()
      await question.getByRole('button', { name: 'Deactivate', exact: true }).click()
      await page.getByText('Your account is deactivated.').first().waitFor()
      page.problems.length = 0
      assert.equal((await olga.get(`/users/${alice.id}`)).body.user.is_active, false)
    })

    it('stays if it is that of the only owner', async () => {
      const { olga } = at.cast.people
      const page = await at.open('olga')
      const dialog = await openSection(page, 'Account')
      await dialog.getByRole('button', { name: 'Deactivate your account' }).click()
      const question = page.getByRole('dialog', { name: /^Deactivate your account\?/ })
      await question.getByRole('button', { name: 'Deactivate', exact: true }).click()
      await dialog
        .getByText(
          'Your account was not deactivated. Cannot deactivate the only organization owner',
        )
        .waitFor()
      page.problems.length = 0
      assert.equal((await olga.get('/users/me')).body.is_active, true)
    })
  },
  {
    cast: { passwords: ['alice', 'bob', 'carol'] },
    host: {
      secondFactor: async ({ user, code }) => {
        if (!user.email.startsWith('carol@')) return 'accepted'
        if (code === undefined) return 'codeRequired'
        return code === '123456' ? 'accepted' : 'codeWrong'
      },
      identify: ({ headers }) =>
        headers['x-product-user'] === 'ada'
          ? { externalId: '7', email: 'ada@product.example', fullName: 'Ada Product', role: 400 }
          : null,
    },
  },
)
