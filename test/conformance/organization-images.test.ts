import assert from 'node:assert/strict'
import { it } from 'node:test'

import { withoutIds } from '../support/event-feed.js'
import { everyHost, type HostCase } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'
import { assertNothingAt, pngOf, readRoot, sendFiles } from '../support/uploads.js'

const picture = { name: 'tree.png', type: 'image/png', bytes: pngOf(1600, 400) }
const onlyRealm = { event_types: ['realm'] }
const drawn = /^\/user_avatars\/default\/organization-\d+\.png\?version=\d+$/

/** The organization's images in the snapshot. */
async function imagesOf(at: HostCase): Promise<Record<string, unknown>> {
  const { body } = await at.people.gus.post('/register', { fetch_event_types: ['realm'] })
  return Object.fromEntries(
    ['icon', 'logo', 'night_logo'].flatMap((name) =>
      [`realm_${name}_source`, `realm_${name}_url`].map((key) => [key, body[key]]),
    ),
  )
}

const updated = (data: object) => ({ type: 'realm', op: 'update_dict', property: 'default', data })

async function sizeOf(at: HostCase, url: string): Promise<unknown[]> {
  const { status, headers, bytes } = await readRoot(at.nobody, url)
  return [status, headers['content-type'], bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

for (const [operationId, path] of [
  ['upload-realm-icon', '/realm/icon'],
  ['upload-realm-logo', '/realm/logo'],
] as const) {
  const fields: Record<string, string> = path === '/realm/logo' ? { night: 'false' } : {}

  everyHost(operationId, (at) => {
    it('returns an error to users who are not administrators', async () => {
      for (const client of [at.people.mona, at.people.alice, at.people.gus, at.people.bot]) {
        const text = 'Must be an organization administrator'
        const more = { code: 'UNAUTHORIZED_PRINCIPAL' }
        assertRefused(await sendFiles(client, path, [picture], { fields }), text, more)
        assertRefused(await client.delete(path, fields), text, more)
      }
    })

    it('requires exactly one file, an image, of at most 5 MiB', async () => {
      const before = await imagesOf(at)
      const send = (...files: (Buffer | string)[]) =>
        sendFiles(
          at.people.adam,
          path,
          files.map((bytes) => ({ bytes })),
          { fields },
        )
      const one = `You must upload exactly one ${path.slice('/realm/'.length)}.`

      assertRefused(await send(), one)
      assertRefused(await send(pngOf(1, 1), pngOf(1, 1)), one)
      assertRefused(
        await send(Buffer.alloc(5 * 1024 * 1024 + 1)),
        'Uploaded file is larger than the allowed limit of 5 MiB',
      )
      for (const bytes of ['<svg/>', pngOf(4, 4).subarray(0, 40)]) {
        assertRefused(await send(bytes), 'Could not decode image; did you upload an image file?', {
          code: 'BAD_IMAGE',
        })
      }
      assert.deepEqual(await imagesOf(at), before)
    })
  })
}

everyHost('upload-realm-icon', (at) => {
  it('shows the image to all users', async () => {
    const feed = await at.people.gus.listen(onlyRealm)

    const { body } = await sendFiles(at.people.adam, '/realm/icon', [picture])

    assert.match(body.icon_url, /^\/user_avatars\/\d+\/realm\/icon\.png\?version=2$/)
    assert.deepEqual(withoutIds(await feed.drain()), [
      updated({ icon_source: 'U', icon_url: body.icon_url }),
    ])
    const { realm_icon_source, realm_icon_url, realm_logo_source } = await imagesOf(at)
    assert.deepEqual([realm_icon_source, realm_icon_url], ['U', body.icon_url])
    assert.equal(realm_logo_source, 'D')
    assert.equal((await at.nobody.get('/server_settings')).body.realm_icon, body.icon_url)
    assert.deepEqual(await sizeOf(at, body.icon_url), [200, 'image/png', 100, 100])
  })
})

everyHost('remove-realm-icon', (at) => {
  it('restores the generated image', async () => {
    const { adam, gus } = at.people
    const { body: before } = await sendFiles(adam, '/realm/icon', [picture])
    await adam.patch('/realm', { description: 'keeps its image' })
    assert.equal((await imagesOf(at))['realm_icon_url'], before.icon_url)
    const feed = await gus.listen(onlyRealm)

    const { body } = await adam.delete('/realm/icon')

    assert.match(body.icon_url, drawn)
    assert.match(body.icon_url, /version=3$/)
    assert.deepEqual(withoutIds(await feed.drain()), [
      updated({ icon_source: 'G', icon_url: body.icon_url }),
    ])
    assert.equal((await imagesOf(at))['realm_icon_url'], body.icon_url)
    const isOver = at.clock.next('set', 600)
    at.clock.fire(600)
    await isOver
    assert.equal((await readRoot(at.nobody, before.icon_url)).status, 404)
  })
})

everyHost('upload-realm-logo', (at) => {
  it('shows all users a wide image, and another one for dark backgrounds', async () => {
    const { adam, gus } = at.people
    const feed = await gus.listen(onlyRealm)

    for (const night of ['true', 'false']) {
      const answer = await sendFiles(adam, '/realm/logo', [picture], { fields: { night } })
      assert.deepEqual(answer.body, { result: 'success', msg: '' })
    }

    const images = await imagesOf(at)
    const urls = { logo: images['realm_logo_url'], night: images['realm_night_logo_url'] }
    assert.match(String(urls.logo), /^\/user_avatars\/\d+\/realm\/logo\.png\?version=2$/)
    assert.match(String(urls.night), /^\/user_avatars\/\d+\/realm\/night_logo\.png\?version=2$/)
    assert.deepEqual(withoutIds(await feed.drain()), [
      updated({ night_logo_source: 'U', night_logo_url: urls.night }),
      updated({ logo_source: 'U', logo_url: urls.logo }),
    ])
    assert.deepEqual(await sizeOf(at, String(urls.logo)), [200, 'image/png', 400, 100])
  })

  it('requires the parameter that selects the logo', async () => {
    const answer = await sendFiles(at.people.adam, '/realm/logo', [picture])

    assert.deepEqual(
      [answer.body.code, answer.body.msg],
      ['REQUEST_VARIABLE_MISSING', "Missing 'night' argument"],
    )
  })
})

everyHost('remove-realm-logo', (at) => {
  it('removes one of the wide images', async () => {
    const { adam, gus } = at.people
    for (const night of ['true', 'false']) {
      await sendFiles(adam, '/realm/logo', [picture], { fields: { night } })
    }
    const feed = await gus.listen(onlyRealm)

    const { body } = await adam.delete('/realm/logo', { night: true })

    assert.deepEqual(body, { result: 'success', msg: '' })
    const images = await imagesOf(at)
    assert.deepEqual([images['realm_logo_source'], images['realm_night_logo_source']], ['U', 'D'])
    assert.match(String(images['realm_night_logo_url']), drawn)
    assert.deepEqual(withoutIds(await feed.drain()), [
      updated({ night_logo_source: 'D', night_logo_url: images['realm_night_logo_url'] }),
    ])
  })
})

everyHost('read-realm-image', (at) => {
  it('returns the same error for an unknown image and for one of another organization', async () => {
    const other = await at.host.organization()
    const { body } = await sendFiles(other.people.adam, '/realm/icon', [picture])
    const own = await sendFiles(at.people.adam, '/realm/icon', [picture])

    for (const url of [
      body.icon_url,
      own.body.icon_url.replace('version=2', 'version=9'),
      own.body.icon_url.replace('icon', 'logo'),
      own.body.icon_url.replace('icon', 'x'),
    ]) {
      await assertNothingAt(at.nobody, url)
    }
    // The image existed until that organization was deactivated.
    assert.equal((await readRoot(other.nobody, body.icon_url)).status, 200)
    await at.host.chat.organizations.deactivate(other.subdomain)
    await assertNothingAt(other.nobody, body.icon_url)
  })
})
