import type { PayloadCase } from './payload-case.js'

/** Payloads with the texts and blocks of Slack's documentation. */
export const texts: readonly PayloadCase[] = [
  { title: 'nothing but a text', payload: { text: 'Hello, world.' }, shows: 'Hello, world.' },
  { title: 'a number as the text', payload: { text: 42 }, shows: '42' },
  {
    title: 'text without formats',
    payload: { text: '*a* _b_ `c` > d <https://a.example|E> &amp; @**all**', mrkdwn: false },
    shows: '&#42;a&#42; _b_ &#96;c&#96; > d [E](https://a.example) & @&#42;&#42;all&#42;&#42;',
  },
  {
    title: 'several lines, of which some are quoted',
    payload: { text: '> one\n> two\nthree\n>>> four\n*five*' },
    shows: '> one\n> two\n\nthree\n```quote\nfour\n**five**\n```',
  },
  {
    title: 'emphasis inside emphasis',
    payload: { text: '*bold _both_* and _*both* italic_' },
    shows: '**bold *both*⁠** and *⁠**both** italic*',
  },
  {
    title: 'skin tones and names of emoji',
    payload: { text: ':wave::skin-tone-3: :+1::skin-tone-6::tada:' },
    shows: ':wave: :+1::tada:',
  },
  {
    title: 'plain text that looks like formats',
    payload: {
      blocks: [
        {
          type: 'section',
          text: {
            type: 'plain_text',
            text: '# *a* `b`\n- c\n1. d\n> e\n@**all** ~~f~~ [g](h) $$i$$ &lt;j>',
          },
        },
        {
          type: 'section',
          text: { type: 'plain_text', text: ':tada: is not shown', emoji: false },
        },
      ],
    },
    shows:
      '&#35; &#42;a&#42; &#96;b&#96;\n&#45; c\n1&#46; d\n&#62; e\n@&#42;&#42;all&#42;&#42; &#126;&#126;f&#126;&#126; [g&#93;(h) &#36;&#36;i&#36;&#36; <j>\n\n&#58;tada: is not shown',
  },
  {
    title: 'a header that ends with a number sign',
    payload: { blocks: [{ type: 'header', text: { type: 'plain_text', text: 'Learn C#' } }] },
    shows: '## Learn C&#35;',
  },
  {
    title: 'a Markdown block',
    payload: {
      blocks: [{ type: 'markdown', text: '**Lots** of _fun_\n\n- [a](https://a.example)' }],
    },
    shows: '**Lots** of _fun_\n\n- [a](https://a.example)',
  },
  {
    title: 'a video',
    payload: {
      blocks: [
        {
          type: 'video',
          title: { type: 'plain_text', text: 'Use the Events API' },
          title_url: 'https://v.example/watch',
          description: { type: 'plain_text', text: 'About *events*' },
          video_url: 'https://v.example/embed',
          alt_text: 'Events',
          thumbnail_url: 'https://v.example/t.jpg',
          author_name: 'Ada',
          provider_name: 'Videos',
        },
      ],
    },
    shows: '[Use the Events API](https://v.example/watch)\nAbout &#42;events&#42;\nAda | Videos',
  },
  {
    title: 'a file',
    payload: {
      text: 'not shown',
      blocks: [{ type: 'file', external_id: 'ABCD1', source: 'remote' }],
    },
    shows: 'File ABCD1',
  },
  {
    title: 'an input',
    payload: {
      blocks: [
        {
          type: 'input',
          label: { type: 'plain_text', text: 'Your name' },
          hint: { type: 'plain_text', text: 'In full' },
          element: {
            type: 'plain_text_input',
            action_id: 'a',
            placeholder: { type: 'plain_text', text: 'Ada' },
          },
        },
      ],
    },
    shows: 'Your name\nAda\nIn full',
  },
  {
    title: 'choices',
    payload: {
      blocks: [
        {
          type: 'section',
          text: { type: 'mrkdwn', text: 'Pick' },
          accessory: {
            type: 'static_select',
            placeholder: { type: 'plain_text', text: 'Size' },
            options: [
              { text: { type: 'plain_text', text: 'Small' }, value: 's' },
              { text: { type: 'plain_text', text: 'Large' }, value: 'l' },
            ],
          },
        },
      ],
    },
    shows: 'Pick\nSize | Small | Large',
  },
  {
    title: 'images',
    payload: {
      blocks: [
        {
          type: 'image',
          title: { type: 'plain_text', text: 'A [plot]' },
          image_url: 'https://a.example/(1).png',
          alt_text: 'not shown',
        },
        { type: 'image', slack_file: { url: 'https://files.example/F1' }, alt_text: 'Of Slack' },
      ],
    },
    shows: '[A [plot]](https://a.example/%281%29.png)\n\n[Of Slack](https://files.example/F1)',
  },
  {
    title: 'formats that only our Markdown has',
    payload: { text: '# a\n| b | c |\n|---|---|\n---\n~~~ d\n```e\n`f' },
    shows:
      '&#35; a\n| b | c |\n&#124;---&#124;---&#124;\n&#45;--\n&#126;&#126;&#126; d\n&#96;&#96;&#96;e\n&#96;f',
  },
  {
    title: 'buttons with addresses that are not of the web',
    payload: {
      blocks: [
        {
          type: 'actions',
          elements: [
            {
              type: 'button',
              text: { type: 'plain_text', text: 'Run' },
              url: 'javascript:alert(1)',
            },
            {
              type: 'button',
              text: { type: 'plain_text', text: 'Open' },
              url: 'https://a.example/?q=a b',
            },
          ],
        },
      ],
    },
    shows: 'Run | [Open](https://a.example/?q=a%20b)',
  },
]
