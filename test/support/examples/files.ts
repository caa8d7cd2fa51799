import type { Answer } from '../client.js'
import type { HostCase } from '../host.js'
import { link, pngOf, sendFiles, upload } from '../uploads.js'
import { content, nothing, own, type Examples } from './example.js'

/** Uploads a file and links to it. @returns its address. */
async function linkedFile({ people: { alice }, channels }: HostCase): Promise<string> {
  const url = await upload(alice)
  await alice.say(channels.general, 'callers', link(url))
  return url
}

export const files: Examples = {
  'upload-file': { call: (_, by) => sendFiles(by, '/user_uploads', [{}]), audited: content },
  'get-file-temporary-url': { call: async (at, by) => by.get(await linkedFile(at)) },
  'get-file-temporary-urls': {
    call: async (at, by) =>
      by.post('/user_uploads/temporary_urls', { paths: [await linkedFile(at)] }),
    audited: nothing,
  },
  'get-attachments': { call: (_, by) => by.get('/attachments') },
  'remove-attachment': {
    call: async (_, by) => {
      await sendFiles(by, '/user_uploads', [{}])
      const { body }: Answer = await by.get('/attachments')
      return by.delete(`/attachments/${body.attachments?.[0].id ?? 2_000_000_000}`)
    },
    audited: content,
  },
  'upload-avatar': {
    call: (_, by) =>
      sendFiles(by, '/users/me/avatar', [{ name: 'a.png', type: 'image/png', bytes: pngOf(4, 4) }]),
    audited: own,
  },
  'remove-avatar': { call: (_, by) => by.delete('/users/me/avatar'), audited: own },
}
