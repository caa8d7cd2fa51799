import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import { makeChannel } from '../support/channels.js'
import { makeGroup } from '../support/groups.js'
import { until } from '../support/waiting.js'
import { isFocused, openAbout, pick } from './channel-pages.js'
import { inList, withPages } from './chat-pages.js'

const crowdSize = 1000

withPages('the members of a channel', (at) => {
  afterEach(() => at.closeWindows())

  const hashOf = (id: number): string => `#narrow/channel/${id}/topic/news`

  it('are added, also by groups, and removed, which another window shows', async () => {
    const { adam, bob, carol, mona } = at.cast.people
    await makeGroup(adam, 'planners', { members: [bob.id, carol.id] })
    const id = await makeChannel(adam, 'plans', { subscribers: [adam.id, bob.id] })
    const page = await at.open('adam', hashOf(id))
    const one = await openAbout(page, 'plans', 'Members')
    const second = await at.open('alice', hashOf(id))
    const two = await openAbout(second, 'plans', 'Members')
    await two.getByRole('heading', { name: 'Subscribers: 2' }).waitFor()
    // A member may add others, and remove nobody.
    assert.equal(await two.getByRole('button', { name: /^(Remove|Leave)/ }).count(), 0)
    await pick(one, 'Add people or groups', 'plan', 'planners')
    await pick(one, 'Add people or groups', 'mon', 'Mona Test')
    await one.getByRole('button', { name: 'Add', exact: true }).dblclick()
    await one.getByText('Added: planners, Mona Test').waitFor()
    const field = one.getByRole('combobox', { name: 'Add people or groups' })
    await until('the focus', () => isFocused(field))
    await two.getByRole('listitem').filter({ hasText: 'Carol Test' }).waitFor()
    await two.getByRole('heading', { name: 'Subscribers: 4' }).waitFor()

    await one.getByRole('button', { name: 'Remove Carol Test' }).click()
    await one.getByText('Removed: Carol Test').waitFor()
    await until('the focus', () => isFocused(one.getByRole('searchbox')))
    await two.getByRole('heading', { name: 'Subscribers: 3' }).waitFor()
    const { body } = await adam.get(`/streams/${id}/members`)
    assert.deepEqual(
      body.subscribers,
      [adam.id, mona.id, bob.id].sort((a, b) => a - b),
    )

    // What was chosen stays if it cannot be sent.
    await pick(two, 'Add people or groups', 'gus', 'Gus Test')
    await second.route('**/users/me/subscriptions', (route) => route.abort(), { times: 1 })
    await two.getByRole('button', { name: 'Add', exact: true }).click()
    await two.getByText('Nobody was added. The server cannot be reached.').waitFor()
    second.problems.length = 0
    await two.getByRole('button', { name: 'Add', exact: true }).click()
    await two.getByText('Added: Gus Test').waitFor()
    await one.getByRole('listitem').filter({ hasText: 'Gus Test' }).waitFor()
  })

  it('cannot all leave and come back: a private channel asks before', async () => {
    const { adam, bob } = at.cast.people
    await makeChannel(adam, 'board', { subscribers: [bob.id], invite_only: true })
    const page = await at.open('bob', '#narrow/is/mentioned')
    await page.getByRole('button', { name: 'All channels' }).click()
    const dialog = await openAbout(page, 'board', 'Members')
    const leave = dialog.getByRole('button', { name: 'Leave' })
    await leave.click()
    const question = page.getByRole('dialog', { name: 'Leave #board?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    assert.ok(await isFocused(leave))
    await leave.click()
    await question.getByRole('button', { name: 'Leave' }).click()
    await dialog.getByText('You can no longer see this channel.').waitFor()
    await inList(page, 'board').waitFor({ state: 'detached' })
  })

  it('have colors, a pin and notifications of their own', async () => {
    const { bob } = at.cast.people
    const { design } = at.cast.channels
    const page = await at.open('bob', hashOf(design))
    const one = await openAbout(page, 'design', 'For you')
    const second = await at.open('bob', hashOf(design))
    const two = await openAbout(second, 'design', 'For you')
    await one.getByLabel('Pin it to the top').check()
    await one.getByText('Saved: #design, Pin it to the top').waitFor()
    const pinned = two.getByLabel('Pin it to the top')
    await until('the other window', () => pinned.isChecked())
    await one.getByLabel('Color').fill('#123456')
    await one.getByText('Saved: #design, Color').waitFor()
    const color = two.getByLabel('Color')
    await until('the color', async () => (await color.inputValue()) === '#123456')
    await two.getByLabel('Muted').check()
    await two.getByText('Saved: #design, Muted').waitFor()
    await until('muted here', () => one.getByLabel('Muted').isChecked())
    const { body } = await bob.get('/users/me/subscriptions')
    const found = body.subscriptions.find(
      (each: { stream_id: number }) => each.stream_id === design,
    )
    assert.deepEqual([found!.pin_to_top, found!.color, found!.is_muted], [true, '#123456', true])
  })

  it('may be a thousand, of whom the first are shown and all are found', async () => {
    const { adam } = at.cast.people
    const { empty } = at.cast.channels
    await at.host.chat.users.sync(
      Array.from({ length: crowdSize }, (_, index) => {
        return {
          externalId: `p${index}`,
          fullName: `Person ${index}`,
          email: `p${index}@crowd.example`,
        }
      }),
    )
    const { body } = await adam.get('/users')
    const ids = body.members
      .filter(({ full_name }: { full_name: string }) => full_name.startsWith('Person '))
      .map(({ user_id }: { user_id: number }) => user_id)
    assert.equal(ids.length, crowdSize)
    const { status } = await adam.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'empty' }],
      principals: ids,
      send_new_subscription_messages: false,
    })
    assert.equal(status, 200)
    const page = await at.open('adam', hashOf(empty))
    const dialog = await openAbout(page, 'empty', 'Members')
    await dialog.getByRole('heading', { name: `Subscribers: ${crowdSize}` }).waitFor()
    await dialog.getByText(`100 of ${crowdSize} are shown.`).waitFor()
    assert.equal(await dialog.getByRole('listitem').count(), 100)
    await dialog.getByRole('searchbox').fill('person 987')
    const found = dialog.getByRole('listitem').filter({ hasText: 'Person 987' })
    await found.waitFor()
    await until('one', async () => (await dialog.getByRole('listitem').count()) === 1)
    await dialog.getByRole('button', { name: 'Remove Person 987' }).click()
    await found.waitFor({ state: 'detached' })
    await dialog.getByRole('heading', { name: `Subscribers: ${crowdSize - 1}` }).waitFor()
  })
})
