import assert from 'node:assert/strict'
import { it } from 'node:test'

import { german } from '../../packages/core/src/languages/de.js'
import { french } from '../../packages/core/src/languages/fr.js'
import { everyDatabase } from '../support/host.js'

const unknownUser = '/users/999999999'
const inGerman = { msg: 'Diesen Benutzer gibt es nicht', language: 'de' }
const inFrench = { msg: 'Cet utilisateur n’existe pas', language: 'fr' }
const inEnglish = { msg: 'No such user', language: 'en' }

everyDatabase(
  'errors with languages',
  'express',
  (at) => {
    const refusal = async (
      path: string,
      headers: Record<string, string> = {},
      who: 'alice' | 'bob' = 'alice',
    ) => {
      const { status, body, headers: answered } = await at.people[who].get(path, {}, headers)
      return { status, body, language: answered['content-language'] }
    }
    const setLanguage = async (who: 'alice' | 'bob', default_language: string) => {
      const answer = await at.people[who].patch('/settings', { default_language })
      assert.equal(answer.status, 200)
    }

    it('are in the language of the user, whatever the request prefers', async () => {
      await setLanguage('alice', 'de')

      const { status, body, language } = await refusal(unknownUser, { 'accept-language': 'fr' })

      assert.deepEqual({ msg: body.msg, language }, inGerman)
      assert.equal(status, 400)
      assert.deepEqual(body, { result: 'error', msg: inGerman.msg, code: 'BAD_REQUEST' })
    })

    it('keep the fields of the error', async () => {
      await setLanguage('alice', 'de')

      const { body } = await refusal('/get_stream_id')

      assert.deepEqual(body, {
        result: 'error',
        msg: 'Der Parameter „stream“ fehlt',
        code: 'REQUEST_VARIABLE_MISSING',
        var_name: 'stream',
      })
    })

    it('are in the preferred language of the request for a user of another language', async () => {
      await setLanguage('bob', 'it')

      const { body, language } = await refusal(unknownUser, { 'accept-language': 'fr-CH' }, 'bob')

      assert.deepEqual({ msg: body.msg, language }, inFrench)
    })

    it('are English for a language that nothing translates', async () => {
      await setLanguage('bob', 'it')

      const { body, language } = await refusal(unknownUser, { 'accept-language': 'it' }, 'bob')

      assert.deepEqual({ msg: body.msg, language }, inEnglish)
    })

    it('are in the preferred language of a request without a user', async () => {
      const anonymous = await fetch(`${at.host.origin}/api/v1/no-such-path`, {
        headers: { 'accept-language': 'de' },
      })

      assert.equal(anonymous.status, 404)
      assert.equal(anonymous.headers.get('content-language'), 'de')
      assert.deepEqual(await anonymous.json(), {
        result: 'error',
        msg: 'Nicht gefunden',
        code: 'BAD_REQUEST',
      })
    })
  },
  { texts: { languages: [german, french] } },
)

everyDatabase('errors without languages', 'express', (at) => {
  it('are English for every user and request', async () => {
    await at.people.alice.patch('/settings', { default_language: 'de' })

    const { body, headers } = await at.people.alice.get(
      unknownUser,
      {},
      { 'accept-language': 'de' },
    )

    assert.deepEqual(body, { result: 'error', msg: 'No such user', code: 'BAD_REQUEST' })
    assert.equal(headers['content-language'], 'en')
  })
})
