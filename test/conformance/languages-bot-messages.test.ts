import assert from 'node:assert/strict'
import { before, it } from 'node:test'

import { german } from '../../packages/core/src/languages/de.js'
import { french } from '../../packages/core/src/languages/fr.js'
import { makeChannel } from '../support/channels.js'
import type { Client } from '../support/client.js'
import { everyDatabase } from '../support/host.js'
import { isOfBot, notificationMessagesOf, silent } from '../support/notification-messages.js'

async function setLanguage(client: Client, default_language: string): Promise<void> {
  const answer = await client.patch('/settings', { default_language })
  assert.equal(answer.status, 200, answer.text)
}

everyDatabase(
  'messages of the bots in languages',
  'express',
  (at) => {
    before(async () => {
      const { olga, alice, bob, carol } = at.people
      const answer = await olga.patch('/realm', {
        default_language: 'de',
        moderation_request_channel_id: at.channels.vault,
      })
      assert.equal(answer.status, 200, answer.text)
      await setLanguage(alice, 'en')
      await setLanguage(bob, 'fr')
      await setLanguage(carol, 'it')
    })

    it('are in the language of the organization in channels, topics and nested texts included', async () => {
      const { olga, bob } = at.people
      const subscribers = [olga.id, bob.id]
      let channelId = 0

      const { bob: created } = await notificationMessagesOf({ bob }, async () => {
        channelId = await makeChannel(olga, 'Werkstatt', { subscribers })
      })
      const { bob: changed } = await notificationMessagesOf({ bob }, async () => {
        await olga.patch(`/streams/${channelId}`, { is_private: true, description: 'Neu `hier`' })
      })

      assert.deepEqual(created, [
        {
          place: 'Werkstatt > Änderungen des Kanals',
          content: `Kanal erstellt von ${silent(olga)}: **Öffentlich**. **Beschreibung:**\n\`\`\`\` quote\n*Keine Beschreibung.*\n\`\`\`\``,
          flags: [],
        },
      ])
      assert.deepEqual(
        changed.map(({ content }) => content),
        [
          `${silent(olga)} hat die [Zugriffsrechte](/help/channel-permissions) dieses Kanals von **Öffentlich** zu **Privat, geschützter Verlauf** geändert.`,
          `${silent(olga)} hat die Beschreibung dieses Kanals geändert.\n\n* **Alte Beschreibung:**\n\`\`\`\` quote\n*Keine Beschreibung.*\n\`\`\`\`\n* **Neue Beschreibung:**\n\`\`\`\` quote\nNeu \`hier\`\n\`\`\`\``,
        ],
      )
    })

    it('are in the language of each recipient in direct messages', async () => {
      const { olga, alice, bob, carol } = at.people
      const subscribers = [olga.id]
      await makeChannel(olga, 'eins', { subscribers })

      const received = await notificationMessagesOf({ alice, bob, carol }, () =>
        olga.post('/users/me/subscriptions', {
          subscriptions: [{ name: 'eins' }],
          principals: [alice.id, bob.id, carol.id],
        }),
      )

      const contents = Object.values(received).map(([first]) => first?.content)
      assert.deepEqual(contents, [
        `${silent(olga)} subscribed you to #**eins**.`,
        `${silent(olga)} vous a abonné à #**eins**.`,
        // The server has no Italian, and the organization is German.
        `${silent(olga)} hat für Sie #**eins** abonniert.`,
      ])
    })

    it('are deleted if the topic is unresolved within a minute, whatever their language', async () => {
      const { olga, bob } = at.people
      const channelId = await makeChannel(olga, 'Themen', { subscribers: [olga.id, bob.id] })
      for (const language of ['de', 'fr', 'en', 'it']) {
        await olga.patch('/realm', { default_language: language })
        const first = await olga.say(channelId, `Frage ${language}`, 'Wer weiß es?')
        const move = (topic: string) =>
          olga.patch(`/messages/${first}`, { topic, propagate_mode: 'change_all' })
        const { bob: resolved } = await notificationMessagesOf({ bob }, () =>
          move(`✔ Frage ${language}`),
        )
        // A change of the language does not hide the message either.
        await olga.patch('/realm', { default_language: 'de' })
        const feed = await bob.listen()

        await move(`Frage ${language}`)

        assert.equal(resolved.length, 1)
        const types = (await feed.drain()).map(({ type }) => type)
        assert.deepEqual(types, ['update_message', 'delete_message'], language)
      }
    })

    it('remind users in their language', async () => {
      const { alice, bob } = at.people
      const messageId = await alice.say(at.channels.general, 'Plan', 'Bonjour')
      const answer = await bob.post('/reminders', {
        message_id: messageId,
        scheduled_delivery_timestamp: at.clock.seconds + 60,
        note: 'demain',
      })
      assert.equal(answer.status, 200, answer.text)

      const { body } = await bob.get('/reminders')

      const { content } = body.reminders[0]!
      const expected = `Vous avez demandé un rappel pour #**general>Plan@${messageId}**. Note :\n\n> demain\n\n${silent(alice)} [a écrit](`
      assert.equal(content.slice(0, expected.length), expected)
      const feed = await bob.listen({ event_types: ['message'], apply_markdown: false })
      at.clock.advance(61)
      const events = await feed.until('the reminder', isOfBot)
      assert.equal(events.at(-1)?.message.content, content)
    })

    it('report failed scheduled messages in the language of their owners', async () => {
      const { bob, olga } = at.people
      const channelId = await makeChannel(olga, 'bald', { subscribers: [olga.id, bob.id] })
      const answer = await bob.post('/scheduled_messages', {
        type: 'channel',
        to: channelId,
        topic: 'x',
        content: 'y',
        scheduled_delivery_timestamp: at.clock.seconds + 120,
      })
      assert.equal(answer.status, 200, answer.text)
      await olga.delete(`/streams/${channelId}`)
      const feed = await bob.listen({ event_types: ['message'], apply_markdown: false })

      at.clock.advance(121)

      const events = await feed.until('the failure', isOfBot)
      const { content } = events.at(-1)?.message ?? {}
      assert.match(content, /^Le message que vous aviez programmé pour <time:[^>]+> n’a pas été/)
      assert.match(content, /\n\n> Vous ne pouvez rien envoyer au canal « bald »/)
    })

    it('report messages to moderators in the language of the organization', async () => {
      const { alice, bob } = at.people
      const id = await bob.say(at.channels.general, 'Werbung', 'Kauft!')

      const { bob: reports } = await notificationMessagesOf({ bob }, async () => {
        const answer = await alice.post(`/messages/${id}/report`, { report_type: 'norms' })
        assert.equal(answer.status, 200, answer.text)
      })

      const author = silent(bob)
      assert.deepEqual(reports, [
        {
          place: 'vault > Meldungen zu Bob Test',
          content:
            `${silent(alice)} hat #**general>Werbung@${id}** von ${author} gemeldet.\n\n` +
            `- Grund: **Verstößt gegen die Regeln der Gemeinschaft**\n\n` +
            `\`\`\`spoiler Nachricht von ${author}\nKauft!\n\`\`\``,
          flags: [],
        },
      ])
    })
  },
  { texts: { languages: [german, french] } },
)

everyDatabase(
  'messages of the bots with the texts of the application',
  'express',
  (at) => {
    it('can be replaced', async () => {
      const { olga, bob } = at.people
      await makeChannel(olga, 'two', { subscribers: [olga.id] })

      const { bob: received } = await notificationMessagesOf({ bob }, () =>
        olga.post('/users/me/subscriptions', {
          subscriptions: [{ name: 'two' }],
          principals: [bob.id],
        }),
      )

      assert.deepEqual(
        received.map(({ content }) => content),
        [`en: #**two**`],
      )
    })
  },
  {
    texts: {
      translate: (name, values, locale) =>
        name === 'CHANNEL_SUBSCRIBED_MESSAGE' ? `${locale}: ${values['channel']}` : undefined,
    },
  },
)
