import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'

import { german } from '../../packages/core/src/languages/de.js'
import { french } from '../../packages/core/src/languages/fr.js'
import type { Client } from '../support/client.js'
import { FakeMail } from '../support/fake-mail.js'
import { FakeRelay } from '../support/fake-relay.js'
import { everyDatabase, type HostCase } from '../support/host.js'
import { invite, mailTo, ownForm, submit } from '../support/invitations.js'
import { MissedMails, pass } from '../support/missed-mails.js'
import { legacyPath, settle } from '../support/push-reader.js'

const texts = { languages: [german, french] }

async function speak(client: Client, default_language: string): Promise<void> {
  const answer = await client.patch('/settings', { default_language })
  assert.equal(answer.status, 200, answer.text)
}

async function speakAll({ people }: HostCase): Promise<void> {
  const answer = await people.olga.patch('/realm', { default_language: 'de' })
  assert.equal(answer.status, 200, answer.text)
  await speak(people.bob, 'fr')
  await speak(people.carol, 'it')
  await speak(people.alice, 'en')
}

const relay = await FakeRelay.start()
after(() => relay.stop())

everyDatabase(
  'push notifications in languages',
  'express',
  (at) => {
    before(() => speakAll(at))

    it('are in the language of each recipient', async () => {
      const { alice, bob, carol, olga } = at.people
      relay.now = () => at.clock.seconds
      for (const client of [alice, bob, carol]) {
        const answer = await client.post('/users/me/apns_device_token', {
          token: `${client.id}`.padStart(64, 'a'),
          appid: 'org.example.App',
        })
        assert.equal(answer.status, 200, answer.text)
      }
      const from = relay.requests.length

      await olga.say(
        at.channels.general,
        'news',
        '@**Alice Test** @**Bob Test** @**Carol Test** come',
      )
      await settle(at)

      const alerts = relay.requests
        .slice(from)
        .filter(({ path }) => path === legacyPath)
        .map(({ body }) => [body.user_id, body.apns_payload.alert] as const)
      const subtitles = new Map(alerts.map(([id, { subtitle, body }]) => [id, [subtitle, body]]))
      assert.deepEqual(
        [alice, bob, carol].map(({ id }) => subtitles.get(id)),
        [
          ['Olga Test mentioned you:', 'New message'],
          ['Olga Test vous a mentionné :', 'Nouveau message'],
          // The server has no Italian, and the organization is German.
          ['Olga Test hat Sie erwähnt:', 'Neue Nachricht'],
        ],
      )
    })
  },
  { pushRelay: relay.address, texts },
  { settings: { require_e2ee_push_notifications: true } },
)

const missed = new MissedMails()

everyDatabase(
  'mails about missed messages in languages',
  'express',
  (at) => {
    before(() => speakAll(at))

    it('are in the language of the recipient, with the time as it is written there', async () => {
      const { alice, bob } = at.people
      await alice.whisper([bob], 'Ça va & <bien>?')
      await alice.whisper([bob], 'Oui')
      await pass(at)

      const mail = await missed.server.arrived(bob.email)

      assert.equal(mail.subject, 'Messages directs avec Alice Test')
      assert.match(mail.text ?? '', /Vous avez manqué 2 messages dans Test\./)
      assert.match(mail.text ?? '', /Alice Test, \d+ [a-zéû]+ \d{4} à \d\d:\d\d UTC :\n> Ça va/)
      assert.match(mail.text ?? '', /Pour ne plus recevoir ces mails, ouvrez https:/)
      const html = typeof mail.html === 'string' ? mail.html : ''
      assert.match(html, /<html lang="fr">/)
      assert.match(html, />Ouvrir la conversation<\/a>/)
      assert.match(html, /Ça va &#38; &#60;bien&#62;\?/)
    })

    it('lead to a page in the language that the browser prefers, or of the organization', async () => {
      const { alice, bob } = at.people
      await alice.whisper([bob], 'Encore')
      await pass(at)
      const path = await missed.linkTo(bob, 2)

      const pageIn = (language: string) =>
        at.nobody.get(path, {}, { 'accept-language': language, accept: 'text/html' })

      assert.match((await pageIn('fr')).text, /<html lang="fr">.*<h1>Ne plus recevoir de mails</)
      assert.match((await pageIn('it')).text, /<html lang="de">.*<h1>Mails abbestellen</)
      assert.match((await pageIn('en')).text, /<html lang="en">.*<h1>Stop mails</)
    })

    it('lead browsers to a page of the error, and other clients to JSON', async () => {
      const path = '/mail_notifications/unsubscribe/x.y'
      const browser = await at.nobody.get(
        path,
        {},
        { 'accept-language': 'fr', accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' },
      )
      const program = await at.nobody.get(path, {}, { 'accept-language': 'fr', accept: '*/*' })

      assert.equal(browser.status, 404)
      assert.equal(browser.headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(browser.headers['cache-control'], 'no-store')
      assert.match(browser.text, /<html lang="fr">.*<h1>Cela n’a pas fonctionné<\/h1><p>Le lien/)
      assert.equal(program.status, 404)
      assert.equal(program.body.result, 'error')
      assert.match(program.body.msg, /^Le lien/)
    })
  },
  { ...missed.options, texts },
)

const mail = new FakeMail()

everyDatabase(
  'mails and pages about accounts in languages',
  'express',
  (at) => {
    before(async () => {
      mail.sent.length = 0
      await speakAll(at)
    })

    it('invite in the language of the organization, and to a page in that of the browser', async () => {
      const { olga } = at.people
      const path = await invite(mail, olga, 'neu@join.example')

      const { subject, text } = await mailTo(mail, 'neu@join.example')
      assert.equal(subject, 'Olga Test hat Sie zu Test eingeladen')
      assert.match(text, /\n\nDer Link gilt bis \d+\. \S+ \d{4} um \d\d:\d\d UTC\.\n\n/)
      const page = await at.nobody.get(path, {}, { 'accept-language': 'fr-CH, de;q=0.5' })
      assert.match(page.text, /<html lang="fr">.*<h1>Rejoindre Test<.*>Nom complet<input/)
      const own = await at.nobody.get(path)
      assert.match(own.text, /<html lang="de">.*<h1>An Test teilnehmen<.*>Passwort<input/)
      const refused = await submit(at.nobody, path, { full_name: 'Neu', password: 'x' })
      assert.equal(refused.status, 400)
      assert.match(refused.text, /<p role="alert">Das Passwort ist zu/)
      const lost = await at.nobody.get('/accounts/join/x', {}, { 'accept-language': 'de' })
      assert.match(lost.text, /<h1>Die Teilnahme ist gerade nicht möglich<\/h1><p>Diese Einladung/)
      const elsewhere = await at.nobody.post(
        path,
        { full_name: 'Neu' },
        { ...ownForm, 'sec-fetch-site': 'cross-site', 'accept-language': 'de' },
      )
      assert.match(elsewhere.text, /Öffnen Sie den Link Ihrer Einladung noch einmal/)
    })

    it('confirm a new address in the language of the user', async () => {
      const { bob } = at.people
      const email = "o'neill&co@elsewhere.example"
      const answer = await bob.patch('/settings', { email })
      assert.equal(answer.status, 200, answer.text)

      const { subject, text } = await mailTo(mail, email)
      assert.equal(subject, 'Confirmez votre nouvelle adresse e-mail pour Test')
      const path = /\/api\/v1(\/accounts\/confirm_new_email\/\S+)/.exec(text)?.[1]
      assert.ok(path)
      const page = await at.nobody.get(path, {}, { 'accept-language': 'fr' })
      assert.match(
        page.text,
        /<p>Utiliser désormais <b>o&#39;neill&#38;co@elsewhere\.example<\/b> \?<\/p>/,
      )
      const done = await at.nobody.post(path, {}, { 'accept-language': 'de' })
      assert.match(done.text, /<html lang="de">.*<h1>Ihre E-Mail-Adresse wurde geändert</)
      const notice = await mailTo(mail, bob.email)
      assert.equal(notice.subject, 'Votre adresse e-mail pour Test a été changée')
      const used = await at.nobody.get(path, {}, { accept: 'text/html', 'accept-language': 'de' })
      assert.equal(used.status, 404)
      assert.match(used.text, /<html lang="de">.*<h1>Das hat nicht geklappt</)
    })
  },
  { mail, texts },
)
