import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyHost, type HostCase } from '../support/host.js'
import { pngOf, readRoot, upload } from '../support/uploads.js'

const notForYou =
  '{"result":"error","msg":"You are not authorized to view this file.","code":"BAD_REQUEST"}'

const shown = (url: string): string =>
  `${url.replace('/user_uploads', '/user_uploads/thumbnail')}/840x560.webp`

for (const [operationId, pathOf] of [
  ['read-file', (url: string) => url],
  ['read-thumbnail', shown],
] as const) {
  /**
   * The responses to a spectator for an image in a web-public channel, and for one in a private
   * one.
   */
  const visit = async (at: HostCase): Promise<unknown[]> => {
    const { alice } = at.people
    const urls = [
      await upload(alice, { name: 'open.png', bytes: pngOf(4, 4) }),
      await upload(alice, { name: 'shut.png', bytes: pngOf(4, 4) }),
    ] as const
    await alice.say(at.channels.window, 'files', `[open](${urls[0]})`)
    await alice.say(at.channels.secret, 'files', `[shut](${urls[1]})`)
    const answers = await Promise.all(urls.map((url) => readRoot(at.nobody, pathOf(url))))
    return answers.map(({ status, text }) => (status === 200 ? status : [status, text]))
  }

  everyHost(operationId, (at) => {
    it('returns no file to spectators while the organization has disabled spectators', async () => {
      assert.deepEqual(await visit(at), [
        [403, notForYou],
        [403, notForYou],
      ])
      await at.people.olga.patch('/realm', { enable_spectator_access: true })
      assert.deepEqual(await visit(at), [200, [403, notForYou]])
      await at.people.olga.patch('/realm', { enable_spectator_access: false })
      assert.deepEqual(await visit(at), [
        [403, notForYou],
        [403, notForYou],
      ])
    })
  })

  everyHost(
    operationId,
    (at) => {
      it('returns no file to spectators if the server has disabled web-public channels', async () => {
        assert.deepEqual(await visit(at), [
          [403, notForYou],
          [403, notForYou],
        ])
      })
    },
    { settings: { enable_spectator_access: true } },
    { webPublicChannels: false },
  )
}
