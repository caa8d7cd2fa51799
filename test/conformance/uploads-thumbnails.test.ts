import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyHost } from '../support/host.js'
import { movingGif, pngOf, readRoot, upload } from '../support/uploads.js'

const notFound = '{"result":"error","msg":"Not Found","code":"BAD_REQUEST"}'

const notForYou =
  '{"result":"error","msg":"You are not authorized to view this file.","code":"BAD_REQUEST"}'

everyHost('read-thumbnail', (at) => {
  const thumbnail = (url: string, format: string): string =>
    `${url.replace('/user_uploads', '/user_uploads/thumbnail')}/${format}`

  it('returns a smaller copy to users who may read the image', async () => {
    const { alice, bob } = at.people
    const url = await upload(alice, { name: 'leaf.png', bytes: pngOf(1680, 300) })

    const small = await readRoot(alice, thumbnail(url, '840x560.webp'))
    const unauthorized = await readRoot(bob, thumbnail(url, '840x560.webp'))

    assert.equal(small.headers['content-type'], 'image/webp')
    assert.equal(small.bytes.toString('latin1', 8, 12), 'WEBP')
    assert.match(String(small.headers['cache-control']), /^private/)
    assert.deepEqual([unauthorized.status, unauthorized.text], [403, notForYou])
  })

  it('is animated or still, depending on the format', async () => {
    const { alice } = at.people
    const url = await upload(alice, { name: 'spin.gif', bytes: movingGif })

    const moving = await readRoot(alice, thumbnail(url, '840x560-anim.webp'))
    const still = await readRoot(alice, thumbnail(url, '840x560.webp'))

    assert.deepEqual([moving.status, still.status], [200, 200])
    assert.ok(moving.bytes.includes('ANIM'))
    assert.ok(!still.bytes.includes('ANIM'))
  })

  it('exists only for images, in the announced formats', async () => {
    const { alice } = at.people
    const image = await upload(alice, { name: 'leaf.png', bytes: pngOf(4, 4) })
    const text = await upload(alice)
    const broken = await upload(alice, { name: 'x.png', bytes: pngOf(4, 4).subarray(0, 40) })

    for (const path of [
      thumbnail(text, '840x560.webp'),
      thumbnail(broken, '840x560.webp'),
      thumbnail(image, '840x560-anim.webp'),
      thumbnail(image, '1x1.webp'),
      thumbnail(`${image}x`, '840x560.webp'),
    ]) {
      const answer = await readRoot(alice, path)
      assert.deepEqual([answer.status, answer.text], [404, notFound], path)
    }
  })
})
