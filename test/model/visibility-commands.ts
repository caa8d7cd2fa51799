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
  type VisibilityModel,
} from './visibility-model.js'
import type { VisibilityState } from './visibility-state.js'

export type VisibilityCommand = fc.AsyncCommand<VisibilityModel, VisibilityState>

/** A request of a user. */
interface Step {
  /** For the error message. */
  readonly title: string
  /** Undefined if there is nothing that it could be sent for. */
  readonly ask: (state: VisibilityState) => Promise<Answer> | undefined
  /** Updates the model after a successful request; a request that fails must change nothing. */
  readonly done: (state: VisibilityState, answer: Answer) => void
}

class StepCommand implements VisibilityCommand {
  constructor(private readonly step: Step) {}

  check(): boolean {
    return true
  }

  async run(_: VisibilityModel, state: VisibilityState): Promise<void> {
    const answer = await this.step.ask(state)
    if (answer === undefined) return
    assert.ok(answer.status === 200 || answer.status === 400, answer.text)
    if (answer.status === 200) this.step.done(state, answer)
    await state.compare(answer)
  }

  toString(): string {
    return this.step.title
  }
}

const anyone = fc.constantFrom(...names)
/** Usually the owner, who has all permissions. */
const mostlyOlga = fc.constantFrom<Name>(...names, 'olga', 'olga', 'olga', 'olga')
/** All users but the owner, whose role stays the same. */
const anyoneElse = fc.constantFrom(...names.filter((name) => name !== 'olga'))
/** Usually the channel with protected history, whose rules are the most complex. */
const channel = fc.constantFrom<ChannelName>(...channelNames, 'hidden')
const topic = fc.constantFrom('a', 'b')
const seldom = fc.constantFrom(true, false, false)
const mostly = fc.constantFrom(true, true, true, false)
/** More emoji than a user adds to one message. */
const emoji = fc.constantFrom('tada', 'heart', 'octopus', 'rocket', 'sunny', 'pizza')
/** Index of a message, newest first: often of one that not all users may read. */
const message = fc.record({
  in: fc.constantFrom<ChannelName | 'all'>('all', 'all', 'hidden', 'hidden'),
  index: fc.nat(4),
})
type Which = Readonly<{ in: ChannelName | 'all'; index: number }>
const naming = (which: Which): string => `message ${which.index} of ${which.in}`

const command = <Values extends unknown[]>(
  values: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
  step: (...values: Values) => Step,
): fc.Arbitrary<VisibilityCommand> =>
  fc.tuple(...values).map((generated) => new StepCommand(step(...(generated as Values))))

/** The id of one of the newest messages. */
function newest({ model }: VisibilityState, which: Which): number | undefined {
  const ids = [...model.messages.values()]
    .filter(({ channel }) => which.in === 'all' || channel === which.in)
    .map(({ id }) => id)
    .sort((a, b) => b - a)
  return ids[which.index % ids.length]
}

/** The user who acts on a message: the given one, or another one with access to it. */
function readerOf({ model }: VisibilityState, id: number, by: Name): Name {
  const found = model.messages.get(id)
  const readers = names.filter((name) => found !== undefined && model.mayRead(name, found))
  return readers.includes(by) ? by : (readers[names.indexOf(by) % readers.length] ?? by)
}

const send = command<[Name, ChannelName, string]>([mostlyOlga, channel, topic], (by, to, name) => ({
  title: `${by} sends a message to ${to}/${name}`,
  ask: (state) =>
    state.people[by].post('/messages', {
      type: 'channel',
      to: state.channelId(to),
      topic: name,
      content: 'Hello',
    }),
  done: ({ model }, { body }) => model.sent(body.id, by, to, name),
}))

const sendDirect = command<[Name, Name[]]>(
  [anyone, fc.subarray([...names], { minLength: 1, maxLength: 2 })],
  (by, to) => ({
    title: `${by} sends a direct message to ${to.join()}`,
    ask: (state) =>
      state.people[by].post('/messages', {
        type: 'direct',
        to: to.map((name) => state.people[name].id),
        content: 'Psst',
      }),
    done: ({ model }, { body }) => model.sentDirectly(body.id, by, new Set([by, ...to])),
  }),
)

const edit = command<[Which]>([message], (which) => {
  let id: number | undefined
  return {
    title: `the sender edits ${naming(which)}`,
    ask: (state) => {
      id = newest(state, which)
      const sender = id === undefined ? undefined : state.model.messages.get(id)?.sender
      if (sender === undefined) return undefined
      return state.people[sender].patch(`/messages/${id}`, { content: `Edited ${Math.random()}` })
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
      ask: (state) => {
        id = newest(state, which)
        if (id === undefined) return undefined
        by = isReader ? readerOf(state, id, name) : name
        return state.people[by].post(`/messages/${id}/reactions`, { emoji_name: named })
      },
      done: ({ model }) => model.reacted(id as number, by),
    }
  },
)

const star = command<[Name, Which, boolean]>([anyone, message, fc.boolean()], (by, which, adds) => {
  let id: number | undefined
  return {
    title: `${by} ${adds ? 'stars' : 'unstars'} ${naming(which)}`,
    ask: (state) => {
      id = newest(state, which)
      if (id === undefined) return undefined
      const params = { messages: [id], op: adds ? 'add' : 'remove', flag: 'starred' }
      return state.people[by].post('/messages/flags', params)
    },
    done: (state) => {
      // Only the owner of the flag receives the event.
      state.allowFlags(by)
      if (adds) state.model.starred(id as number, by)
    },
  }
})

const remove = command<[Name, Which]>([mostlyOlga, message], (by, which) => {
  let id: number | undefined
  return {
    title: `${by} deletes ${naming(which)}`,
    ask: (state) => {
      id = newest(state, which)
      return id === undefined ? undefined : state.people[by].delete(`/messages/${id}`)
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
      ask: (state) => {
        id = newest(state, which)
        const from = id === undefined ? undefined : state.model.messages.get(id)
        if (from?.channel === undefined) return undefined
        const crosses = from.channel !== to
        if (!crosses && from.topic === name) return undefined
        return state.people[by].patch(`/messages/${id}`, {
          propagate_mode: isWhole ? 'change_all' : 'change_one',
          send_notification_to_new_thread: false,
          send_notification_to_old_thread: false,
          ...(crosses ? { stream_id: state.channelId(to) } : {}),
          ...(from.topic === name ? {} : { topic: name }),
        })
      },
      done: ({ model }) => model.moved(id as number, by, { channel: to, topic: name }, isWhole),
    }
  },
)

const subscribe = command<[Name, ChannelName, boolean]>(
  [anyoneElse, channel, fc.boolean()],
  (name, to, isSelf) => ({
    title: `${isSelf ? name : 'olga'} subscribes ${name} to ${to}`,
    ask: (state) =>
      state.people[isSelf ? name : 'olga'].post('/users/me/subscriptions', {
        subscriptions: [{ name: to }],
        principals: [state.people[name].id],
        send_new_subscription_messages: false,
      }),
    done: ({ model }) => model.subscribed(name, to),
  }),
)

const unsubscribe = command<[Name, ChannelName]>([anyoneElse, channel], (name, from) => ({
  title: `olga unsubscribes ${name} from ${from}`,
  ask: (state) =>
    state.people.olga.delete('/users/me/subscriptions', {
      subscriptions: [from],
      principals: [state.people[name].id],
    }),
  done: (state) => {
    state.allowFlags(name)
    state.model.unsubscribed(name, from)
  },
}))

const changePrivacy = command<[ChannelName, Privacy]>(
  // Usually back to protected history.
  [channel, fc.constantFrom<Privacy>('public', 'private', 'protected', 'protected')],
  (name, privacy) => ({
    title: `${name} becomes ${privacy}`,
    ask: (state) =>
      state.people.olga.patch(`/streams/${state.channelId(name)}`, {
        is_private: privacy !== 'public',
        history_public_to_subscribers: privacy !== 'protected',
      }),
    done: ({ model }) => model.privacyChanged(name, privacy),
  }),
)

const changeJoining = command<[ChannelName, boolean]>([channel, fc.boolean()], (name, isOpen) => ({
  title: `${isOpen ? 'the joiners' : 'no user'} may subscribe to ${name}`,
  ask: (state) =>
    state.people.olga.patch(`/streams/${state.channelId(name)}`, {
      can_subscribe_group: { new: state.groupIds[isOpen ? 'joiners' : 'nobody'] },
    }),
  done: ({ model }) => model.joiningChanged(name, isOpen),
}))

const archive = command<[ChannelName, boolean]>([channel, seldom], (name, isArchived) => ({
  title: `${name} is ${isArchived ? 'archived' : 'unarchived'}`,
  ask: (state) => {
    const path = `/streams/${state.channelId(name)}`
    const { olga } = state.people
    return isArchived ? olga.delete(path) : olga.patch(path, { is_archived: false })
  },
  done: ({ model }) => model.archived(name, isArchived),
}))

const changeGroup = command<[Name, GroupName, boolean]>(
  [anyoneElse, fc.constantFrom<GroupName>('joiners', 'keepers'), fc.boolean()],
  (name, group, adds) => ({
    title: `${name} ${adds ? 'enters' : 'leaves'} the ${group}`,
    ask: (state) =>
      state.people.olga.post(`/user_groups/${state.groupIds[group]}/members`, {
        [adds ? 'add' : 'delete']: [state.people[name].id],
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
  ask: (state) =>
    state.people.olga.post(`/user_groups/${state.groupIds.joiners}/subgroups`, {
      [adds ? 'add' : 'delete']: [state.groupIds.inner],
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
    ask: (state) => state.people.olga.patch(`/users/${state.people[name].id}`, { role }),
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
  title: `${name} is active again`,
  ask: (state) => state.appear(name),
  done: ({ model }) => model.appeared(name),
}))

/** All commands; messages are sent more often than the rest. */
export const visibilityCommands: fc.Arbitrary<VisibilityCommand>[] = [
  send,
  send,
  send,
  sendDirect,
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
