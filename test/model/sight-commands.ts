import assert from 'node:assert/strict'

import fc from 'fast-check'

import type { Answer } from '../support/client.js'
import {
  channelNames,
  names,
  type ChannelName,
  type GroupName,
  type Name,
  type Privacy,
  type SightModel,
} from './sight-model.js'
import type { SightWorld } from './sight-world.js'

export type SightCommand = fc.AsyncCommand<SightModel, SightWorld>

/** Something that somebody asks the server to do. */
interface Step {
  /** For the report of a failure. */
  readonly title: string
  /** Undefined where there is nothing to do it with. */
  readonly ask: (world: SightWorld) => Promise<Answer> | undefined
  /** What follows when the server has done it; what it refuses has no consequences. */
  readonly done: (world: SightWorld, answer: Answer) => void
}

class StepCommand implements SightCommand {
  constructor(private readonly step: Step) {}

  check(): boolean {
    return true
  }

  async run(_: SightModel, world: SightWorld): Promise<void> {
    const answer = await this.step.ask(world)
    if (answer === undefined) return
    assert.ok(answer.status === 200 || answer.status === 400, answer.text)
    if (answer.status === 200) this.step.done(world, answer)
    await world.compare(answer)
  }

  toString(): string {
    return this.step.title
  }
}

const anyone = fc.constantFrom(...names)
/** Mostly the owner, who may do everything that can be done. */
const mostlyOlga = fc.constantFrom<Name>(...names, 'olga', 'olga', 'olga', 'olga')
/** Everyone but the owner, who stays what she is. */
const somebody = fc.constantFrom(...names.filter((name) => name !== 'olga'))
/** The one with a history of its own for each is where the rules are the hardest. */
const channel = fc.constantFrom<ChannelName>(...channelNames, 'hidden')
const topic = fc.constantFrom('a', 'b')
const seldom = fc.constantFrom(true, false, false)
const mostly = fc.constantFrom(true, true, true, false)
/** Enough that nobody has reacted with all of them. */
const emoji = fc.constantFrom('tada', 'heart', 'octopus', 'rocket', 'sunny', 'pizza')
/** Which of the messages that there are, newest first: often of those that not everyone may read. */
const message = fc.record({
  in: fc.constantFrom<ChannelName | 'all'>('all', 'all', 'hidden', 'hidden'),
  index: fc.nat(4),
})
type Which = Readonly<{ in: ChannelName | 'all'; index: number }>
const naming = (which: Which): string => `message ${which.index} of ${which.in}`

const command = <Values extends unknown[]>(
  values: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
  step: (...values: Values) => Step,
): fc.Arbitrary<SightCommand> =>
  fc.tuple(...values).map((given) => new StepCommand(step(...(given as Values))))

/** The id of one of the newest messages. */
function newest({ model }: SightWorld, which: Which): number | undefined {
  const ids = [...model.messages.values()]
    .filter(({ channel }) => which.in === 'all' || channel === which.in)
    .map(({ id }) => id)
    .sort((a, b) => b - a)
  return ids[which.index % ids.length]
}

/** Who does something with a message: the one named, or another who may read it. */
function readerOf({ model }: SightWorld, id: number, by: Name): Name {
  const found = model.messages.get(id)
  const readers = names.filter((name) => found !== undefined && model.mayRead(name, found))
  return readers.includes(by) ? by : (readers[names.indexOf(by) % readers.length] ?? by)
}

const send = command<[Name, ChannelName, string]>([mostlyOlga, channel, topic], (by, to, name) => ({
  title: `${by} says something in ${to}/${name}`,
  ask: (world) =>
    world.people[by].post('/messages', {
      type: 'channel',
      to: world.channelId(to),
      topic: name,
      content: 'Hello',
    }),
  done: ({ model }, { body }) => model.said(body.id, by, to, name),
}))

const whisper = command<[Name, Name[]]>(
  [anyone, fc.subarray([...names], { minLength: 1, maxLength: 2 })],
  (by, to) => ({
    title: `${by} whispers to ${to.join()}`,
    ask: (world) =>
      world.people[by].post('/messages', {
        type: 'direct',
        to: to.map((name) => world.people[name].id),
        content: 'Psst',
      }),
    done: ({ model }, { body }) => model.whispered(body.id, by, new Set([by, ...to])),
  }),
)

const edit = command<[Which]>([message], (which) => {
  let id: number | undefined
  return {
    title: `the sender edits ${naming(which)}`,
    ask: (world) => {
      id = newest(world, which)
      const sender = id === undefined ? undefined : world.model.messages.get(id)?.sender
      if (sender === undefined) return undefined
      return world.people[sender].patch(`/messages/${id}`, { content: `Edited ${Math.random()}` })
    },
    done: ({ model }) => model.edited(id as number),
  }
})

const react = command<[Name, Which, string, boolean]>(
  [anyone, message, emoji, mostly],
  (name, which, named, isReader) => {
    let id: number | undefined
    let by = name
    return {
      title: `${name}${isReader ? ' or a reader' : ''} reacts to ${naming(which)} with ${named}`,
      ask: (world) => {
        id = newest(world, which)
        if (id === undefined) return undefined
        by = isReader ? readerOf(world, id, name) : name
        return world.people[by].post(`/messages/${id}/reactions`, { emoji_name: named })
      },
      done: ({ model }) => model.reacted(id as number, by),
    }
  },
)

const star = command<[Name, Which, boolean]>([anyone, message, fc.boolean()], (by, which, adds) => {
  let id: number | undefined
  return {
    title: `${by} ${adds ? 'stars' : 'unstars'} ${naming(which)}`,
    ask: (world) => {
      id = newest(world, which)
      if (id === undefined) return undefined
      const params = { messages: [id], op: adds ? 'add' : 'remove', flag: 'starred' }
      return world.people[by].post('/messages/flags', params)
    },
    done: (world) => {
      // Only the owner of the flag hears of it.
      world.letFlag(by)
      if (adds) world.model.starred(id as number, by)
    },
  }
})

const remove = command<[Name, Which]>([mostlyOlga, message], (by, which) => {
  let id: number | undefined
  return {
    title: `${by} deletes ${naming(which)}`,
    ask: (world) => {
      id = newest(world, which)
      return id === undefined ? undefined : world.people[by].delete(`/messages/${id}`)
    },
    done: ({ model }) => model.deleted(id as number, by),
  }
})

const move = command<[Name, Which, ChannelName, string, boolean]>(
  [mostlyOlga, message, channel, topic, fc.boolean()],
  (by, which, to, name, isWhole) => {
    let id: number | undefined
    return {
      title: `${by} moves ${isWhole ? 'the topic of ' : ''}${naming(which)} to ${to}/${name}`,
      ask: (world) => {
        id = newest(world, which)
        const from = id === undefined ? undefined : world.model.messages.get(id)
        if (from?.channel === undefined) return undefined
        const crosses = from.channel !== to
        if (!crosses && from.topic === name) return undefined
        return world.people[by].patch(`/messages/${id}`, {
          propagate_mode: isWhole ? 'change_all' : 'change_one',
          send_notification_to_new_thread: false,
          send_notification_to_old_thread: false,
          ...(crosses ? { stream_id: world.channelId(to) } : {}),
          ...(from.topic === name ? {} : { topic: name }),
        })
      },
      done: ({ model }) => model.moved(id as number, by, { channel: to, topic: name }, isWhole),
    }
  },
)

const subscribe = command<[Name, ChannelName, boolean]>(
  [somebody, channel, fc.boolean()],
  (name, to, isSelf) => ({
    title: `${isSelf ? name : 'olga'} subscribes ${name} to ${to}`,
    ask: (world) =>
      world.people[isSelf ? name : 'olga'].post('/users/me/subscriptions', {
        subscriptions: [{ name: to }],
        principals: [world.people[name].id],
        send_new_subscription_messages: false,
      }),
    done: ({ model }) => model.subscribed(name, to),
  }),
)

const unsubscribe = command<[Name, ChannelName]>([somebody, channel], (name, from) => ({
  title: `olga unsubscribes ${name} from ${from}`,
  ask: (world) =>
    world.people.olga.delete('/users/me/subscriptions', {
      subscriptions: [from],
      principals: [world.people[name].id],
    }),
  done: (world) => {
    world.letFlag(name)
    world.model.unsubscribed(name, from)
  },
}))

const changePrivacy = command<[ChannelName, Privacy]>(
  // Mostly back to where each has a history of its own.
  [channel, fc.constantFrom<Privacy>('public', 'private', 'protected', 'protected')],
  (name, privacy) => ({
    title: `${name} becomes ${privacy}`,
    ask: (world) =>
      world.people.olga.patch(`/streams/${world.channelId(name)}`, {
        is_private: privacy !== 'public',
        history_public_to_subscribers: privacy !== 'protected',
      }),
    done: ({ model }) => model.privacyChanged(name, privacy),
  }),
)

const changeJoining = command<[ChannelName, boolean]>([channel, fc.boolean()], (name, isOpen) => ({
  title: `${isOpen ? 'the joiners' : 'nobody'} may subscribe to ${name}`,
  ask: (world) =>
    world.people.olga.patch(`/streams/${world.channelId(name)}`, {
      can_subscribe_group: { new: world.groupIds[isOpen ? 'joiners' : 'nobody'] },
    }),
  done: ({ model }) => model.joiningChanged(name, isOpen),
}))

const archive = command<[ChannelName, boolean]>([channel, seldom], (name, isArchived) => ({
  title: `${name} is ${isArchived ? 'archived' : 'unarchived'}`,
  ask: (world) => {
    const path = `/streams/${world.channelId(name)}`
    const { olga } = world.people
    return isArchived ? olga.delete(path) : olga.patch(path, { is_archived: false })
  },
  done: ({ model }) => model.archived(name, isArchived),
}))

const changeGroup = command<[Name, GroupName, boolean]>(
  [somebody, fc.constantFrom<GroupName>('joiners', 'keepers'), fc.boolean()],
  (name, group, adds) => ({
    title: `${name} ${adds ? 'enters' : 'leaves'} the ${group}`,
    ask: (world) =>
      world.people.olga.post(`/user_groups/${world.groupIds[group]}/members`, {
        [adds ? 'add' : 'delete']: [world.people[name].id],
      }),
    done: ({ model }) =>
      model.changed(() => {
        if (adds) model.groups[group].add(name)
        else model.groups[group].delete(name)
      }),
  }),
)

const nestGroup = command<[boolean]>([fc.boolean()], (adds) => ({
  title: `the joiners ${adds ? 'contain' : 'no longer contain'} the inner group`,
  ask: (world) =>
    world.people.olga.post(`/user_groups/${world.groupIds.joiners}/subgroups`, {
      [adds ? 'add' : 'delete']: [world.groupIds.inner],
    }),
  done: ({ model }) =>
    model.changed(() => {
      model.joinersContainInner = adds
    }),
}))

const changeRole = command<[Name, number]>(
  [fc.constantFrom<Name>('alice', 'bob', 'carol', 'gus'), fc.constantFrom(200, 400, 600)],
  (name, role) => ({
    title: `${name} gets the role ${role}`,
    ask: (world) => world.people.olga.patch(`/users/${world.people[name].id}`, { role }),
    done: ({ model }) =>
      model.changed(() => {
        model.guests.delete(name)
        model.administrators.delete(name)
        if (role === 600) model.guests.add(name)
        if (role === 200) model.administrators.add(name)
      }),
  }),
)

const appear = command<[Name]>([anyone], (name) => ({
  title: `${name} is there again`,
  ask: (world) => world.appear(name),
  done: ({ model }) => model.appeared(name),
}))

/** Everything that may happen, what is said more often than the rest. */
export const sightCommands: fc.Arbitrary<SightCommand>[] = [
  send,
  send,
  send,
  whisper,
  edit,
  react,
  react,
  star,
  remove,
  remove,
  move,
  move,
  subscribe,
  subscribe,
  subscribe,
  unsubscribe,
  changePrivacy,
  changeJoining,
  archive,
  changeGroup,
  changeGroup,
  nestGroup,
  changeRole,
  appear,
]
