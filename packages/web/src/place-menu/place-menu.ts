import { resolvedPrefix } from '@parley/client'

import '../on-demand.js'
import { hashOf, narrowOf, type Place } from '../place.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { ask } from '../view/ask.js'
import { copyText } from '../view/copy.js'
import { icon } from '../view/icons.js'
import { menuIcon } from '../view/menu-icons.js'
import { chooseAction, type MenuItem } from '../view/menu.js'
import { topicName } from '../view/place-name.js'
import { markRead } from './mark-read.js'
import { placeTexts } from './place-texts.js'
import {
  changeResolved,
  deleteTopic,
  mayDeleteTopic,
  mayResolve,
  type TopicPlace,
} from './topic-actions.js'
import { topicPolicies, topicPolicyOf, type TopicPolicy } from './topic-policies.js'
import { tell } from '../view/part-events.js'

const readTexts: Partial<Record<Place['kind'], string>> = {
  all: placeTexts.readAll,
  channel: placeTexts.readChannel,
  topic: placeTexts.readTopic,
  direct: placeTexts.readDirect,
}

/** Lets the user choose an action for a conversation, and does it. */
export async function openPlaceMenu(
  opener: HTMLElement,
  session: Session,
  place: Place,
): Promise<void> {
  const name = await chooseAction(opener, texts.placeActions, itemsFor(place, session))
  if (name === 'read') await read(opener, place, session)
  if (name === 'copy') await copyLink(opener, place)
  if (name === 'about' && 'channelId' in place) {
    const { openChannel } = await import('../channel-settings/index.js')
    await openChannel(opener, session, place.channelId)
  }
  if (name === 'channel' && place.kind === 'channel') await changeChannelMute(place, session)
  if (place.kind !== 'topic') return
  if (name in topicPolicies) await setPolicy(place, name, session)
  if (name === 'resolve') {
    tell(opener, 'parley-go', { place: await changeResolved(place, session) })
  }
  if (name === 'remove') {
    const question = placeTexts.removeQuestion(topicName(place.topic))
    if (await ask(opener, question, placeTexts.removeNow)) await deleteTopic(place, session)
  }
}

function itemsFor(place: Place, session: Session): readonly MenuItem[] {
  const readText = readTexts[place.kind]
  const items: (MenuItem | undefined)[] = [
    readText === undefined
      ? undefined
      : { value: 'read', label: readText, picture: menuIcon('checkCheck') },
    ...(place.kind === 'topic' ? topicItems(place, session) : []),
    place.kind === 'channel' ? channelItem(place.channelId, session) : undefined,
    'channelId' in place && session.state.channels.has(place.channelId)
      ? { value: 'about', label: placeTexts.about, picture: icon('settings2') }
      : undefined,
    { value: 'copy', label: placeTexts.copyLink, picture: menuIcon('copy') },
    place.kind === 'topic' && mayDeleteTopic(place, session)
      ? { value: 'remove', label: placeTexts.remove, picture: menuIcon('trash2'), isDanger: true }
      : undefined,
  ]
  return items.filter((item) => item !== undefined)
}

function topicItems(place: TopicPlace, session: Session): readonly MenuItem[] {
  const { channelId, topic } = place
  const { state } = session
  const policy = topicPolicyOf(channelId, topic, state)
  const isChannelMuted = state.channels.get(channelId)?.subscription?.is_muted === true
  const isMuted =
    policy === topicPolicies.muted || (isChannelMuted && policy === topicPolicies.inherited)
  const follow: MenuItem =
    policy === topicPolicies.followed
      ? { value: 'inherited', label: placeTexts.unfollow, picture: menuIcon('bell') }
      : { value: 'followed', label: placeTexts.follow, picture: menuIcon('bell') }
  const mute: MenuItem = isMuted
    ? {
        value: isChannelMuted ? 'unmuted' : 'inherited',
        label: placeTexts.unmute,
        picture: menuIcon('bell'),
      }
    : { value: 'muted', label: placeTexts.mute, picture: menuIcon('bellOff') }
  const resolve: MenuItem = {
    value: 'resolve',
    label: topic.startsWith(resolvedPrefix) ? placeTexts.reopen : placeTexts.resolve,
    picture: menuIcon('check'),
  }
  return mayResolve(place, session) ? [follow, mute, resolve] : [follow, mute]
}

function channelItem(channelId: number, { state }: Session): MenuItem | undefined {
  const subscription = state.channels.get(channelId)?.subscription
  if (subscription === undefined) return undefined
  return subscription.is_muted
    ? { value: 'channel', label: placeTexts.unmuteChannel, picture: menuIcon('bell') }
    : { value: 'channel', label: placeTexts.muteChannel, picture: menuIcon('bellOff') }
}

async function read(opener: HTMLElement, place: Place, session: Session): Promise<void> {
  const isAll = place.kind === 'all'
  if (isAll && !(await ask(opener, placeTexts.readAllQuestion, placeTexts.readNow, false))) return
  await markRead(narrowOf(place, session), session)
}

async function copyLink(opener: HTMLElement, place: Place): Promise<void> {
  const { href } = new URL(hashOf({ place }), document.location.href)
  await copyText(opener, href)
}

async function setPolicy(place: TopicPlace, name: string, session: Session): Promise<void> {
  const { channelId, topic } = place
  // The caller has looked it up.
  const visibility_policy: TopicPolicy = topicPolicies[name as keyof typeof topicPolicies]
  await session.client.api.updateUserTopic({ stream_id: channelId, topic, visibility_policy })
}

async function changeChannelMute(
  { channelId }: Extract<Place, { readonly kind: 'channel' }>,
  { state, client }: Session,
): Promise<void> {
  const isMuted = state.channels.get(channelId)?.subscription?.is_muted === true
  await client.api.updateSubscriptionSettings({
    subscription_data: [{ stream_id: channelId, property: 'is_muted', value: !isMuted }],
  })
}
