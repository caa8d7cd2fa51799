import type { PayloadCase } from './payload-case.js'

/** Payloads with rich text, tables, attachments and unknown elements. */
export const structures: readonly PayloadCase[] = [
  {
    title: 'a table',
    payload: {
      blocks: [
        {
          type: 'table',
          column_settings: [{ is_wrapped: true }, { align: 'right' }],
          rows: [
            [
              { type: 'raw_text', text: 'Name | id' },
              { type: 'raw_text', text: 'Runs' },
            ],
            [
              {
                type: 'rich_text',
                elements: [
                  {
                    type: 'rich_text_section',
                    elements: [
                      { type: 'link', url: 'https://a.example', text: 'site' },
                      { type: 'text', text: ' a|b', style: { code: true } },
                    ],
                  },
                ],
              },
              { type: 'raw_number', value: 12 },
            ],
            [{ type: 'raw_text', text: 'only one\ncell' }],
          ],
        },
        { type: 'section', text: { type: 'mrkdwn', text: 'below' } },
      ],
    },
    shows:
      '| Name &#124; id | Runs |\n| --- | --: |\n| [site](https://a.example)` a|b` | 12 |\n| only one cell |  |\n\nbelow',
  },
  {
    title: 'rich text with all inline parts',
    payload: {
      blocks: [
        {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_section',
              elements: [
                { type: 'text', text: 'Hi *you* ' },
                { type: 'user', user_id: 'U1' },
                { type: 'text', text: ' ' },
                { type: 'user', user_id: 'U1', fallback: '@ada' },
                { type: 'usergroup', usergroup_id: 'S1', name: 'ops' },
                { type: 'text', text: ' ' },
                { type: 'channel', channel_id: 'C1', name: 'general' },
                { type: 'text', text: ' ' },
                { type: 'team', team_id: 'T1' },
                { type: 'broadcast', range: 'here' },
                { type: 'text', text: ' ' },
                { type: 'emoji', name: 'wave', unicode: '1f44b-1f3fd', skin_tone: 4 },
                { type: 'emoji', name: 'party_parrot' },
                { type: 'date', timestamp: 1700000000, format: '{date}', fallback: 'Nov 14' },
                { type: 'text', text: ' ' },
                { type: 'date', timestamp: 1700000000, format: '{date}' },
                { type: 'color', value: '#F405B3' },
                { type: 'link', url: 'https://a.example' },
              ],
            },
          ],
        },
      ],
    },
    shows:
      'Hi &#42;you&#42; @U1 @ada@ops #general @T1@here 👋:party_parrot:Nov 14 <time:2023-11-14T22:13:20Z>#F405B3https://a.example',
  },
  {
    title: 'rich text with styles',
    payload: {
      blocks: [
        {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_section',
              elements: [
                { type: 'text', text: 'bold ', style: { bold: true } },
                { type: 'text', text: 'italic', style: { italic: true } },
                { type: 'text', text: 'both', style: { bold: true, italic: true } },
                { type: 'text', text: 'a*b~c', style: { strike: true } },
                { type: 'text', text: 'x`y', style: { code: true } },
                { type: 'text', text: '@' },
                { type: 'text', text: 'all', style: { bold: true } },
                { type: 'link', url: 'https://a.example', text: 'A', style: { bold: true } },
              ],
            },
          ],
        },
      ],
    },
    shows: '**bold** *italic*⁠***both***~~a&#42;b&#126;c~~``x`y``@⁠**all**⁠**[A](https://a.example)**',
  },
  {
    title: 'nested and continued lists',
    payload: {
      blocks: [
        {
          type: 'rich_text',
          elements: [
            { type: 'rich_text_section', elements: [{ type: 'text', text: 'Plan:\n' }] },
            {
              type: 'rich_text_list',
              style: 'ordered',
              indent: 0,
              elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'one' }] }],
            },
            {
              type: 'rich_text_list',
              style: 'bullet',
              indent: 1,
              elements: [
                { type: 'rich_text_section', elements: [{ type: 'text', text: 'deeper' }] },
              ],
            },
            {
              type: 'rich_text_list',
              style: 'ordered',
              indent: 0,
              offset: 1,
              elements: [
                { type: 'rich_text_section', elements: [{ type: 'text', text: 'two\nlines' }] },
                { type: 'rich_text_section', elements: [{ type: 'text', text: 'three' }] },
              ],
            },
            { type: 'rich_text_section', elements: [{ type: 'text', text: 'Done' }] },
          ],
        },
      ],
    },
    shows: 'Plan:\n1. one\n  * deeper\n2. two\n  lines\n3. three\n\nDone',
  },
  {
    title: 'code and quotes as rich text',
    payload: {
      blocks: [
        {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_preformatted',
              elements: [
                { type: 'text', text: 'a\n```\nb' },
                { type: 'link', url: 'https://a.example' },
              ],
            },
            { type: 'rich_text_quote', elements: [{ type: 'text', text: 'q\nr' }] },
            { type: 'rich_text_section', elements: [{ type: 'text', text: 'after' }] },
          ],
        },
      ],
    },
    shows: '````\na\n```\nbhttps://a.example\n````\n> q\n> r\n\nafter',
  },
  {
    title: 'an unknown block with a text',
    payload: {
      text: 'not shown',
      blocks: [
        {
          type: 'card',
          card_id: 'x',
          body: { type: 'mrkdwn', text: '*Body*' },
          title: 'Title',
          actions: [
            { type: 'button', text: { type: 'plain_text', text: 'Go' }, url: 'https://a.example' },
          ],
        },
      ],
    },
    shows: '**Body**\nTitle\n[Go](https://a.example)',
  },
  {
    title: 'an unknown block without a text',
    payload: {
      text: 'shown instead',
      blocks: [
        { type: 'map', latitude: 1 },
        { type: 'section', text: { type: 'mrkdwn', text: 'known' } },
      ],
    },
    shows: 'shown instead\n\nknown',
  },
  {
    title: 'an unknown element without a text',
    payload: {
      text: 'shown too',
      blocks: [
        {
          type: 'actions',
          elements: [
            { type: 'datepicker', action_id: 'd' },
            { type: 'button', text: { type: 'plain_text', text: 'No address' } },
          ],
        },
      ],
    },
    shows: 'shown too\n\nNo address',
  },
  {
    title: 'an attachment of unknown parts',
    payload: {
      attachments: [
        { subtitle: 'Subtitle', details: [{ label: 'Label' }, 'more'], color: '#123456', id: 7 },
      ],
    },
    shows: 'Subtitle\nLabel\nmore',
  },
  {
    title: 'an attachment that shows nothing',
    payload: { text: 'Text', blocks: [{ type: 'divider' }], attachments: [{ color: 'good' }] },
    shows: 'Text\n\n---',
  },
  {
    title: 'an attachment with a fallback',
    payload: {
      attachments: [{ fallback: 'Only <https://a.example|this>', blocks: [{ type: 'map' }] }],
    },
    shows: 'Only [this](https://a.example)',
  },
  {
    title: 'an author without an address',
    payload: { attachments: [{ author_name: 'Ada *L*', author_subname: '(bot)', text: 'x' }] },
    shows: 'Ada &#42;L&#42; (bot)\nx',
  },
  {
    title: 'rather long lists of numbers',
    payload: { text: '3. three\n4. four\n7. seven\n\n15. fifteen' },
    shows: '3. three\n4. four\n\n7&#46; seven\n\n15&#46; fifteen',
  },
]
