import type { Draft } from '@parley/client'

import type { AskedText, KeptDraft } from '../composer/drafts.js'
import { isEqual } from './draft-values.js'

/**
 * The next step for the draft of a conversation. It is `clean` if the server has the text that the
 * user has written, and else `saving` or `deleting`.
 */
export type DraftStep =
  | { readonly kind: 'clean' }
  /** Without an id, another draft is created. */
  | { readonly kind: 'saving'; readonly id: number | undefined }
  | { readonly kind: 'deleting'; readonly id: number }
  /** The server has this draft of this browser; undefined if it has none. */
  | { readonly kind: 'found'; readonly saved: KeptDraft['saved'] }
  /** Another device has changed the draft; undefined if it was deleted. */
  | { readonly kind: 'shown'; readonly draft: Draft | undefined }

/** So many of the newest requests may be without an answer or an event. */
const maxAsked = 5

/**
 * @param drafts those of the server, in this conversation.
 * @param seen drafts that the server has had: those that are gone were deleted.
 * @param emptySince in UNIX seconds: older drafts do not come up again.
 */
export function nextStep(
  kept: KeptDraft | undefined,
  drafts: readonly Draft[],
  seen: ReadonlySet<number>,
  emptySince: number,
): DraftStep {
  const { text = '', saved, asked = [] } = kept ?? {}
  const own = drafts.find(({ id }) => id === saved?.id)
  const isGone = own === undefined && saved !== undefined && seen.has(saved.id)
  // The answer was lost, or came after a reload.
  const found = drafts.find((draft) => draft !== own && isAsked(draft, asked))
  const isCopy = saved !== undefined && !isGone && (found?.timestamp ?? Infinity) <= saved.at
  if (found !== undefined && isCopy) return { kind: 'deleting', id: found.id }
  const later = own !== undefined && own.timestamp > (saved?.at ?? 0) && isAsked(own, asked)
  const current = later ? own : found
  if (current !== undefined) return { kind: 'found', saved: savedOf(current) }

  if (isEqual(text, saved?.text ?? '')) {
    const newest = drafts.filter((draft) => draft !== own).reduce<Draft | undefined>(newer, own)
    const isNew =
      newest !== undefined &&
      newest.timestamp >= (saved?.at ?? emptySince) &&
      !(newest === own ? isUnchanged(own, kept) : newest.timestamp === saved?.at)
    if (isNew || isGone) return { kind: 'shown', draft: isNew ? newest : undefined }
    return { kind: 'clean' }
  }
  const isOwn = saved !== undefined && !isGone && (own === undefined || isUnchanged(own, kept))
  if (text !== '') return { kind: 'saving', id: isOwn ? saved.id : undefined }
  // A draft that another device has changed is not the one that this device has sent.
  return isOwn ? { kind: 'deleting', id: saved.id } : { kind: 'found', saved: undefined }
}

/** A draft with the text that the server is asked to save now. */
export function withAsked(kept: KeptDraft): KeptDraft & { readonly asked: readonly AskedText[] } {
  const { text, at, saved, asked = [] } = kept
  const newest = Math.max(saved?.at ?? 0, asked.at(-1)?.at ?? 0)
  // The server's times have no fractions.
  const next = { text, at: Math.max(Math.floor(at), newest + 1), isAnswered: false }
  return { ...kept, asked: [...asked, next].slice(-maxAsked) }
}

/** A draft that the server has refused to save. */
export function withoutAsked({ asked = [], ...kept }: KeptDraft, at: number): KeptDraft {
  return { ...kept, asked: asked.filter((one) => one.at !== at) }
}

/** A draft of which the server has something else. */
export function withSaved(kept: KeptDraft, saved: KeptDraft['saved']): KeptDraft {
  const asked = (kept.asked ?? [])
    .map((one) => (one.at === saved?.at ? { ...one, isAnswered: true } : one))
    .filter((one) => saved !== undefined || !one.isAnswered)
  return { ...kept, saved, asked }
}

/** A draft of the server, as this browser keeps it. */
export function savedOf({ id, content, timestamp }: Draft): NonNullable<KeptDraft['saved']> {
  return { id, text: content, at: timestamp }
}

function isAsked({ content, timestamp }: Draft, asked: readonly AskedText[]): boolean {
  return asked.some(({ text, at }) => timestamp === at && isEqual(content, text))
}

/** Whether no other device has changed the draft that this one has saved. */
function isUnchanged(draft: Draft, kept: KeptDraft | undefined): boolean {
  return isEqual(draft.content, kept?.saved?.text ?? '') || isAsked(draft, kept?.asked ?? [])
}

function newer(one: Draft | undefined, other: Draft): Draft {
  if (one === undefined || other.timestamp > one.timestamp) return other
  return one.timestamp === other.timestamp && other.id > one.id ? other : one
}
