import { css, html, nothing, svg, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'

import { isKept, keep } from '../session/kept-choices.js'
import type { Session } from '../session/session.js'
import { useStyle } from '../style/use-style.js'
import { texts } from '../texts.js'
import { picture } from '../view/icons.js'
import type { ChannelEntry } from './entries.js'
import { folderTexts } from './folder-texts.js'
import type { Sidebar } from './sidebar.js'

/*! Icons of Lucide (https://lucide.dev). ISC License, Copyright (c) Lucide Icons and Contributors. */
const downIcon = picture(svg`<path d="m6 9 6 6 6-6"/>`)
const rightIcon = picture(svg`<path d="m9 18 6-6-6-6"/>`)

const folderStyle = css`
  .folder-heading {
    margin: 0;
    font-size: 0.9em;
  }
  .link.folder {
    color: var(--text-quiet);
    font: inherit;
    font-weight: 600;
  }
`

interface Folder {
  readonly id: number
  readonly name: string
  readonly entries: readonly ChannelEntry[]
}

/** Those without a folder have none of the server's ids. */
const othersId = 0
/** Of the heading of the channels. */
const usualLevel = 2

type Item = (entry: ChannelEntry) => TemplateResult

/** The channels by their folders, which can be closed; pinned ones are above. */
export function channelFolders(
  entries: readonly ChannelEntry[],
  item: Item,
  list: Sidebar,
): TemplateResult {
  const { session } = list
  if (session === undefined) return html``
  const root = list.getRootNode()
  if (root instanceof ShadowRoot) useStyle(root, folderStyle)
  const folders = foldersOf(entries, session)
  const isGrouped =
    folders.some(({ id }) => id !== othersId) &&
    session.state.me.user_settings.web_left_sidebar_show_channel_folders
  if (!isGrouped) return html`${linksOf(entries, 'channels-heading', item)}`
  const pinned = entries.filter(({ isPinned }) => isPinned)
  return html`${pinned.length === 0 ? nothing : linksOf(pinned, 'channels-heading', item)}
  ${repeat(
    folders,
    ({ id }) => id,
    (folder) => folderOf(folder, item, list, session),
  )}`
}

function foldersOf(entries: readonly ChannelEntry[], { state }: Session): Folder[] {
  const byFolder = new Map<number, ChannelEntry[]>()
  for (const entry of entries) {
    if (entry.isPinned) continue
    const folderId = state.channels.get(entry.channelId)?.folder_id ?? othersId
    const id = state.folders.get(folderId)?.is_archived === false ? folderId : othersId
    byFolder.set(id, [...(byFolder.get(id) ?? []), entry])
  }
  const orderOf = (id: number): number => state.folders.get(id)?.order ?? Infinity
  return [...byFolder]
    .sort(([one], [other]) => (one === other ? 0 : orderOf(one) - orderOf(other)))
    .map(([id, own]) => ({
      id,
      name: state.folders.get(id)?.name ?? folderTexts.others,
      entries: own,
    }))
}

function folderOf(
  { id, name, entries }: Folder,
  item: Item,
  list: Sidebar,
  session: Session,
): TemplateResult {
  const { place, level } = list
  const openId = place !== undefined && 'channelId' in place ? place.channelId : undefined
  const key = `parley-folder ${session.url} ${session.state.me.user_id} ${id}`
  const isClosed = isKept(key)
  const toggle = (): void => {
    keep(key, !isClosed)
    list.requestUpdate()
  }
  // The open channel stays in the list.
  const shown = isClosed ? entries.filter(({ channelId }) => channelId === openId) : entries
  const hidden = isClosed ? entries.filter((entry) => !shown.includes(entry)) : []
  const count = hidden.reduce((sum, each) => sum + (each.isMuted ? 0 : each.count), 0)
  const heading = `folder-${id}`
  return html`<h3 class="folder-heading" aria-level=${Number(level ?? usualLevel) + 1}>
      <button
        class="link folder ${count > 0 ? 'unread' : ''}"
        type="button"
        aria-expanded=${isClosed ? 'false' : 'true'}
        @click=${toggle}
      >
        ${isClosed ? rightIcon : downIcon}<span class="name" id=${heading} dir="auto">${name}</span
        >${
          count > 0
            ? html`<span class="count" part="count"
                ><span aria-hidden="true">${count}</span
                ><span class="only-read">${texts.unread(count)}</span></span
              >`
            : nothing
        }
      </button>
    </h3>
    ${shown.length === 0 ? nothing : linksOf(shown, heading, item)}`
}

function linksOf(entries: readonly ChannelEntry[], heading: string, item: Item): TemplateResult {
  return html`<ul class="links" aria-labelledby=${heading}>
    ${repeat(entries, ({ channelId }) => channelId, item)}
  </ul>`
}
