import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Client } from '../support/client.js'
import { everyHost } from '../support/host.js'
import { readRoot, upload } from '../support/uploads.js'

const notFound = '{"result":"error","msg":"Not Found","code":"BAD_REQUEST"}'

const notForYou =
  '{"result":"error","msg":"You are not authorized to view this file.","code":"BAD_REQUEST"}'

everyHost('get-file-temporary-url', (at) => {
  const temporaryUrl = async (client: Client, url: string): Promise<string> =>
    (await client.get(encodeURI(url))).body.url as string

  it('returns the file without credentials, for one minute', async () => {
    const url = await upload(at.people.alice, { name: 'grün.txt' })

    const temporary = await temporaryUrl(at.people.alice, url)

    assert.match(temporary, /^\/user_uploads\/temporary\/[A-Za-z0-9_.~-]+\/grün\.txt$/)
    at.clock.advance(59)
    assert.equal((await readRoot(at.nobody, temporary)).text, 'leaf')
    at.clock.advance(1)
    const late = await readRoot(at.nobody, temporary)
    assert.deepEqual([late.status, JSON.parse(late.text).msg], [400, 'Invalid token'])
  })

  it('returns an error to users who may not read the file', async () => {
    const url = await upload(at.people.alice)

    const unauthorized = await at.people.bob.get(url)
    const nobody = await at.nobody.get(url)
    const unknown = await at.people.alice.get(`${url}x`)

    assert.deepEqual([unauthorized.status, unauthorized.text], [403, notForYou])
    assert.equal(nobody.status, 401)
    assert.deepEqual([unknown.status, unknown.text], [404, notFound])
  })
})

everyHost('read-temporary-file', (at) => {
  const refusal = async (path: string): Promise<unknown[]> => {
    const { status, text } = await readRoot(at.nobody, path)
    return [status, JSON.parse(text).msg]
  }

  it('rejects addresses that are invented, modified, or of another organization', async () => {
    const { alice } = at.people
    const other = await at.host.organization()
    const url = await upload(alice)
    const temporary = (await alice.get(url)).body.url as string
    const foreign = await upload(other.people.alice)
    const ofOther = (await other.people.alice.get(foreign)).body.url as string

    assert.deepEqual(await refusal('/user_uploads/temporary/abc/notes.txt'), [400, 'Invalid token'])
    assert.deepEqual(await refusal(temporary.replace('temporary/', 'temporary/A')), [
      400,
      'Invalid token',
    ])
    assert.deepEqual(await refusal(temporary.replace('notes', 'note')), [400, 'Invalid filename'])
    assert.deepEqual(await refusal(ofOther), [400, 'Invalid token'])
  })

  it('returns 404 after the file is deleted', async () => {
    const { carol } = at.people
    const url = await upload(carol)
    const temporary = (await carol.get(url)).body.url as string
    const { body } = await carol.get('/attachments')

    await carol.delete(`/attachments/${body.attachments.at(-1).id}`)

    assert.deepEqual(await refusal(temporary), [404, 'Not Found'])
  })
})
