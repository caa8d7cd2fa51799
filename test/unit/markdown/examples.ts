import { readFileSync } from 'node:fs'

export interface RenderExample {
  readonly group: string
  readonly input: string
  readonly html: string
  readonly default_code_block_language?: string
  readonly inline_image_preview?: boolean
  readonly translate_emoticons?: boolean
}

export interface TopicLinkExample {
  readonly topic: string
  readonly topic_links: readonly { readonly text: string; readonly url: string }[]
}

export interface SideDataExample {
  readonly input: string
  readonly mentioned_user_ids: readonly number[]
  readonly mentioned_user_group_ids: readonly number[]
  readonly mentions_channel_wildcard: boolean
  readonly mentions_topic_wildcard: boolean
  readonly attachment_path_ids: readonly string[]
  readonly has_link: boolean
  readonly has_image: boolean
}

interface Examples {
  readonly context: {
    readonly realm_url: string
    readonly users: readonly {
      readonly user_id: number
      readonly full_name: string
      readonly is_active: boolean
    }[]
    readonly user_groups: readonly {
      readonly id: number
      readonly name: string
      readonly display_name?: string
      readonly deactivated?: boolean
    }[]
    readonly channels: readonly { readonly stream_id: number; readonly name: string }[]
    readonly latest_message_ids: readonly {
      readonly stream_id: number
      readonly topic: string
      readonly message_id: number
    }[]
    readonly empty_topic_display_name: string
    readonly realm_emoji: readonly { readonly name: string; readonly source_url: string }[]
    readonly linkifiers: readonly { readonly pattern: string; readonly url_template: string }[]
    readonly uploads: readonly {
      readonly path_id: string
      readonly content_type: string
      readonly dimensions?: string
      readonly thumbnailed?: boolean
      readonly animated?: boolean
      readonly transcoded?: string
    }[]
    readonly settings: {
      readonly inline_image_preview: boolean
      readonly inline_url_embed_preview: boolean
      readonly default_code_block_language: string
      readonly translate_emoticons: boolean
    }
  }
  readonly examples: readonly RenderExample[]
  readonly topic_link_examples: readonly TopicLinkExample[]
  readonly side_data_examples: readonly SideDataExample[]
}

/** Worked examples of the dialect and the organization they assume. */
export const examples = JSON.parse(
  readFileSync(new URL('examples.json', import.meta.url), 'utf8'),
) as Examples
