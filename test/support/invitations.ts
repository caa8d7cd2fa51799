import assert from 'node:assert/strict'

import type { Mail } from '@parley/core'

import type { Answer, Client, Parameters } from './client.js'
import type { FakeMail } from './fake-mail.js'
import type { HostCase } from './host.js'
import type { UncheckedJson } from './unchecked-json.js'
import { until } from './waiting.js'

const unusable = 'This invitation has expired, was used or revoked, or never existed.'

/** What a browser sends with a form of the server's own page. */
export const ownForm = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' }

export const strongPassword = 'correct horse battery'

/** Waits for the mail number `count` to an address. */
export async function mailTo(mail: FakeMail, address: string, count = 1): Promise<Mail> {
  return until(`mail ${count} to ${address}`, () => mail.to(address)[count - 1])
}

/** The path of the page to which the text links, relative to the API. */
export function joinPathIn(text: string): string {
  const path = /https?:\/\/[^/]+\/api\/v1(\/accounts\/join\/[\w-]+)/.exec(text)?.[1]
  assert.ok(path, `no link in ${text}`)
  return path
}

/** Invites an address, and waits for the mail. @returns the path of the page. */
export async function invite(
  mail: FakeMail,
  inviter: Client,
  email: string,
  params: Parameters = {},
): Promise<string> {
  const answer = await inviter.post('/invites', {
    invitee_emails: email,
    stream_ids: [],
    ...params,
  })
  assert.equal(answer.status, 200, answer.text)
  return joinPathIn((await mailTo(mail, email)).text)
}

/** Creates a reusable link. @returns the path of the page. */
export async function inviteLink(inviter: Client, params: Parameters = {}): Promise<string> {
  const answer = await inviter.post('/invites/multiuse', params)
  assert.equal(answer.status, 200, answer.text)
  return joinPathIn(answer.body.invite_link)
}

/** Submits the form of the page. */
export function submit(visitor: Client, path: string, form: Parameters): Promise<Answer> {
  return visitor.post(path, form, ownForm)
}

/** Fills in the form with which an account is created. */
export function signUp(visitor: Client, path: string, form: Parameters = {}): Promise<Answer> {
  return submit(visitor, path, { full_name: 'Nina New', password: strongPassword, ...form })
}

/** The invitations that a user manages. */
export async function invitesOf(client: Client): Promise<UncheckedJson[]> {
  const answer = await client.get('/invites')
  assert.equal(answer.status, 200, answer.text)
  return answer.body.invites as UncheckedJson[]
}

/** The invitation of an address. */
export async function inviteOf(client: Client, email: string): Promise<UncheckedJson> {
  const found = (await invitesOf(client)).find((one: { email?: string }) => one.email === email)
  assert.ok(found, `no invitation of ${email}`)
  return found
}

/** The user who has just signed up, as a client. */
export async function clientOf(at: HostCase, email: string): Promise<Client> {
  const login = { username: email, password: strongPassword }
  const { body } = await at.nobody.post('/fetch_api_key', login)
  assert.equal(body.result, 'success', JSON.stringify(body))
  const credentials = { email, apiKey: body.api_key }
  return at.host.client(at.subdomain, credentials, body.user_id, email)
}

/** Requires the page that is shown for links that cannot be used. */
export function assertUnusable(answer: Answer): void {
  assert.equal(answer.status, 404)
  assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
  assert.ok(answer.text.includes(unusable))
}
