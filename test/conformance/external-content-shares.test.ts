import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import { after, before, it } from 'node:test'

import { Client } from '../support/client.js'
import { ContentOrigin } from '../support/content-origin.js'
import { everyDatabase, type HostCase } from '../support/host.js'
import { pngOf, readRoot } from '../support/uploads.js'
import { until, within } from '../support/waiting.js'

let origin: ContentOrigin
before(async () => {
  origin = await ContentOrigin.start()
})
const agents: Agent[] = []
after(async () => {
  for (const agent of agents) agent.destroy()
  await origin.stop()
})

/** A visitor at a loopback address. */
function visitorAt({ host, subdomain }: HostCase, localAddress: string): Client {
  const agent = new Agent({ localAddress })
  agents.push(agent)
  return new Client({ origin: host.origin, agent, subdomain }, undefined, 0, 'visitor')
}

everyDatabase(
  'The fetches of content of other hosts',
  'express',
  (at) => {
    it('are shared by the addresses that cause them', async () => {
      const { alice } = at.people
      const sourceOf = async (url: string): Promise<string> => {
        const id = await alice.say(at.channels.general, 'pictures', url)
        const html = (await alice.get(`/messages/${id}`)).body.message.content
        const [, source] = / src="([^"]*)"/.exec(html) ?? []
        assert.ok(source !== undefined, html)
        return source
      }
      const round = randomUUID()
      const names = Array.from({ length: 8 }, (_, index) => `/${round}/slow${index}.png`)
      const slow = await Promise.all(names.map((name) => sourceOf(origin.at(name, () => {}))))
      const quick = await sourceOf(origin.at(`/${round}/quick.png`, pngOf(3, 2)))
      const asked = (): number => names.filter((name) => origin.countOf(name) > 0).length

      const one = visitorAt(at, '127.0.8.1')
      const answers = slow.map((source) => readRoot(one, source))
      await until('the fetches of one address', () => asked() >= 4)
      const answer = await within('the picture', readRoot(visitorAt(at, '127.0.8.2'), quick))

      assert.equal(answer.status, 200)
      assert.equal(asked(), 4)
      at.clock.advance(10)
      await until('the others', () => asked() === 8)
      at.clock.advance(10)
      for (const ended of await Promise.all(answers)) assert.equal(ended.status, 404)
    })
  },
  { externalContent: { privateHosts: ['127.0.0.1'] } },
)
