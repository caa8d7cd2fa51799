import { Type, type Static } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'

/** The types of emoji; the built-in extra emoji are accepted under two names. */
export const ReactionType = Type.Union([
  Type.Literal('unicode_emoji'),
  Type.Literal('realm_emoji'),
  Type.Literal('service_extra_emoji'),
  Type.Literal('zulip_extra_emoji'),
])

/** An emoji on the wire; `emoji_code` is unique only within its `reaction_type`. */
export const Emoji = Type.Object({
  emoji_name: Type.String(),
  emoji_code: Type.String({
    description:
      'Dash-separated hexadecimal code points of a Unicode emoji, the id of a custom one, or the name of a built-in extra one.',
  }),
  reaction_type: ReactionType,
})

/** The request parameters that identify an emoji. */
export const EmojiParameters = {
  emoji_name: Type.Optional(Bounded.name()),
  emoji_code: Type.Optional(Bounded.name()),
  reaction_type: Type.Optional(Bounded.name()),
}
export type EmojiParameters = Static<ReturnType<typeof Type.Object<typeof EmojiParameters>>>
