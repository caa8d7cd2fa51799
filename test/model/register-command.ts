import assert from 'node:assert/strict'

import fc from 'fast-check'

import type { Answer, Client } from '../support/client.js'
import {
  describeAnswer,
  names,
  type Kind,
  type Name,
  type RegisterState,
} from './register-state.js'

export type RegisterCommand = fc.AsyncCommand<object, RegisterState>

/** Sends the request; undefined if there is nothing that it could be sent for. */
type Ask<Values extends unknown[]> = (
  state: RegisterState,
  ...values: Values
) => Promise<Answer> | undefined

class AskingCommand<Values extends unknown[]> implements RegisterCommand {
  constructor(
    private readonly title: string,
    private readonly values: Values,
    private readonly ask: Ask<Values>,
    private readonly done: (state: RegisterState, body: Answer['body'], values: Values) => void,
  ) {}

  check(): boolean {
    return true
  }

  async run(_: object, state: RegisterState): Promise<void> {
    const answer = await this.ask(state, ...this.values)
    if (answer === undefined) return
    assert.ok(answer.status < 500, answer.text)
    if (answer.status === 200) this.done(state, answer.body, this.values)
    await state.done(`${this.toString()}: ${describeAnswer(answer)}`)
  }

  toString(): string {
    return `${this.title}(${this.values.map((value) => JSON.stringify(value)).join(', ')})`
  }
}

/** A command with one request; a request that fails must change nothing. */
export function command<Values extends unknown[]>(
  title: string,
  values: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
  ask: Ask<Values>,
  done: (state: RegisterState, body: Answer['body'], values: Values) => void = () => {},
): fc.Arbitrary<RegisterCommand> {
  return fc
    .tuple(...values)
    .map((generated) => new AskingCommand(title, generated as unknown as Values, ask, done))
}

export const anyone = fc.constantFrom(...names)
/** Usually the owner, who has all permissions. */
export const mostlyOlga = fc.constantFrom<Name>(...names, 'olga', 'olga', 'olga', 'olga', 'olga')
/** Index of one of the existing items, newest first. */
export const index = fc.nat(5)
export const flag = fc.boolean()

/** Sends the request with the id of one of the existing items. */
export function withOne(
  state: RegisterState,
  kind: Kind,
  which: number,
  ask: (id: number) => Promise<Answer>,
): Promise<Answer> | undefined {
  const id = state.one(kind, which)
  return id === undefined ? undefined : ask(id)
}

/** The client of a user. */
export const by = (state: RegisterState, name: Name): Client => state.people[name]
