import fc from 'fast-check'

/** Stands for a word in a payload; each is replaced by another one. */
export const placeholder = '§'

const marks = [
  [' ', '\n', '\n\n', '    ', '*', '_', '~', '`', '```', '> ', '>>> ', '# ', '- ', '1. ', '7. '],
  [
    '|',
    '|-|',
    '---',
    '~~~',
    '@**',
    '@*',
    '#**',
    '**',
    '[',
    ']',
    '(',
    ')',
    '< ',
    '>',
    '^',
    '\\',
    '!',
  ],
  ['&amp;', '&lt;', '&gt;', '$$', '&lt;time:', '<https://a.example|', '<@U1|', '<!date^1^x|'],
  [':', '::skin-tone-3:'],
].flat()

/** A text with words between marks of mrkdwn and of our Markdown. */
const text = fc
  .array(fc.oneof(fc.constantFrom(...marks), fc.constant(placeholder)), { maxLength: 12 })
  .map((parts) => parts.join('') + placeholder)

const word = fc.constant(placeholder)
const type = <Name extends string>(name: Name) => fc.constant(name)
const url = fc.constant('https://a.example/x_y?z=(1)')
const plainText = fc.record({ type: type('plain_text'), text, emoji: fc.boolean() })
const mrkdwn = fc.record({ type: type('mrkdwn'), text })
const anyText = fc.oneof(plainText, mrkdwn)
const few = <Item>(item: fc.Arbitrary<Item>) => fc.array(item, { minLength: 1, maxLength: 3 })

const button = fc.record(
  { type: type('button'), text: plainText, url },
  { requiredKeys: ['type', 'text'] },
)
const choice = fc.record({
  type: fc.constantFrom('static_select', 'overflow', 'of_the_future'),
  placeholder: plainText,
  options: few(fc.record({ text: plainText })),
})
const image = fc.record({ type: type('image'), image_url: url, alt_text: text })
const unknown = fc.record(
  {
    type: type('of_the_future'),
    title: text,
    body: anyText,
    parts: few(fc.oneof(button, mrkdwn, fc.record({ label: text }))),
    nested: fc.record({ description: text, id: fc.constant('hidden'), style: type('hidden') }),
  },
  { requiredKeys: ['type', 'title'] },
)
const element = fc.oneof(button, choice, image, unknown)

const style = fc.record(
  { bold: fc.boolean(), italic: fc.boolean(), strike: fc.boolean(), code: fc.boolean() },
  { requiredKeys: [] },
)
const inline = fc.oneof(
  fc.record({ type: type('text'), text, style }),
  fc.record({ type: type('link'), url, text, style }),
  fc.record({ type: type('date'), fallback: text }),
  fc.record({ type: fc.constantFrom('user', 'channel', 'usergroup'), name: text }),
  fc.record({ type: type('of_the_future'), text }),
)
const section = fc.record({ type: type('rich_text_section'), elements: few(inline) })
const richText = fc.record({
  type: type('rich_text'),
  elements: few(
    fc.oneof(
      section,
      fc.record({ type: type('rich_text_quote'), elements: few(inline) }),
      fc.record({
        type: type('rich_text_preformatted'),
        elements: few(fc.record({ type: type('text'), text })),
      }),
      fc.record({
        type: type('rich_text_list'),
        style: fc.constantFrom('ordered', 'bullet'),
        indent: fc.nat(4),
        offset: fc.nat(9),
        elements: few(section),
      }),
    ),
  ),
})
const cell = fc.oneof(fc.record({ type: type('raw_text'), text }), richText)

const block = fc.oneof(
  fc.record({ type: type('header'), text: plainText }),
  fc.record({ type: type('section'), text: anyText, fields: few(anyText), accessory: element }),
  fc.record({ type: type('markdown'), text: word }),
  fc.record({ type: type('context'), elements: few(fc.oneof(anyText, image)) }),
  fc.record({ type: type('actions'), elements: few(element) }),
  fc.record({ type: type('video'), title: plainText, title_url: url, description: plainText }),
  fc.record({ type: type('input'), label: plainText, element: choice, hint: plainText }),
  fc.record({ type: type('table'), rows: few(few(cell)) }),
  fc.constant({ type: 'divider' }),
  richText,
  unknown,
)

const attachment = fc.record(
  {
    pretext: text,
    author_name: text,
    author_link: url,
    title: text,
    title_link: url,
    text,
    fields: few(fc.record({ title: text, value: text })),
    blocks: few(block),
    actions: few(button),
    image_url: url,
    footer: text,
    of_the_future: fc.record({ title: text }),
  },
  { requiredKeys: ['text'] },
)

/** A payload in which each text would be shown. */
export const arbitraryPayload = fc.oneof(
  fc.record({ text, mrkdwn: fc.boolean(), attachments: fc.array(attachment, { maxLength: 2 }) }),
  fc.record({ blocks: few(block), attachments: fc.array(attachment, { maxLength: 2 }) }),
)
