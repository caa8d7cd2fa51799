import assert from 'node:assert/strict'

import fc from 'fast-check'

import type { Answer, Client } from '../support/client.js'
import {
  describeAnswer,
  names,
  type Kind,
  type Name,
  type RegisterWorld,
} from './register-world.js'

export type RegisterCommand = fc.AsyncCommand<object, RegisterWorld>

/** Asks the server; undefined where there is nothing to ask it with. */
type Ask<Values extends unknown[]> = (
  world: RegisterWorld,
  ...values: Values
) => Promise<Answer> | undefined

class AskingCommand<Values extends unknown[]> implements RegisterCommand {
  constructor(
    private readonly title: string,
    private readonly values: Values,
    private readonly ask: Ask<Values>,
    private readonly done: (world: RegisterWorld, body: Answer['body'], values: Values) => void,
  ) {}

  check(): boolean {
    return true
  }

  async run(_: object, world: RegisterWorld): Promise<void> {
    const answer = await this.ask(world, ...this.values)
    if (answer === undefined) return
    assert.ok(answer.status < 500, answer.text)
    if (answer.status === 200) this.done(world, answer.body, this.values)
    await world.done(`${this.toString()}: ${describeAnswer(answer)}`)
  }

  toString(): string {
    return `${this.title}(${this.values.map((value) => JSON.stringify(value)).join(', ')})`
  }
}

/** A command that asks for one thing; what the server refuses must change nothing. */
export function command<Values extends unknown[]>(
  title: string,
  values: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
  ask: Ask<Values>,
  done: (world: RegisterWorld, body: Answer['body'], values: Values) => void = () => {},
): fc.Arbitrary<RegisterCommand> {
  return fc
    .tuple(...values)
    .map((given) => new AskingCommand(title, given as unknown as Values, ask, done))
}

export const anyone = fc.constantFrom(...names)
/** Mostly the owner, who may do everything that can be done. */
export const mostlyOlga = fc.constantFrom<Name>(...names, 'olga', 'olga', 'olga', 'olga', 'olga')
/** Which of the things that there are, the newest first. */
export const index = fc.nat(5)
export const flag = fc.boolean()

/** Asks with the id of one of the things that there are. */
export function withOne(
  world: RegisterWorld,
  kind: Kind,
  which: number,
  ask: (id: number) => Promise<Answer>,
): Promise<Answer> | undefined {
  const id = world.one(kind, which)
  return id === undefined ? undefined : ask(id)
}

/** The client of somebody. */
export const by = (world: RegisterWorld, name: Name): Client => world.people[name]
