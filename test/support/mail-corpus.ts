import { mailLanguages, type MailLanguage } from './mail-languages.js'

/** A mail as a program sends it, and what must become of it. */
export interface CorpusMail {
  readonly title: string
  readonly raw: string
  /** Lines that the sender has written. */
  readonly written: readonly string[]
  /** Whether nothing else remains. */
  readonly isOnly: boolean
}

type Position = 'above' | 'below' | 'between'
type Part = 'answer' | 'quote'
type Block = readonly [Part, string]

const positions: readonly Position[] = ['above', 'below', 'between']

/** Replies by client, language and position of the answer. */
export function repliesOfPrograms(): CorpusMail[] {
  return Object.entries(mailLanguages).flatMap(([name, language]) => [
    ...positions.flatMap((position) =>
      Object.entries(programs).map(([program, write]) => ({
        title: `${program}, ${name}, answer ${position} the quote`,
        raw: write(language, blocksOf(language, position)),
        written: language.answers,
        isOnly: position !== 'between',
      })),
    ),
    ...Object.entries(topPostingPrograms).map(([program, write]) => ({
      title: `${program}, ${name}, answer above the quote`,
      raw: write(language),
      written: language.answers,
      isOnly: !program.includes('iPhone') && !program.includes('Android'),
    })),
  ])
}

function blocksOf({ answers, questions }: MailLanguage, position: Position): readonly Block[] {
  const answer = answers.map((text): Block => ['answer', text])
  const quote = questions.map((text): Block => ['quote', text])
  if (position === 'above') return [...answer, ...quote]
  if (position === 'below') return [...quote, ...answer]
  return quote.flatMap((block, index) => [block, answer[index] ?? block])
}

/** Blocks as plain text, with the attribution above the first quote. */
function textOf(blocks: readonly Block[], attribution: string, gap = '\n'): string {
  const lines: string[] = []
  let before: Part | undefined
  for (const [part, text] of blocks) {
    if (before !== undefined && before !== part) lines.push(...gap.split('\n').slice(1))
    if (part === 'quote' && !lines.includes(attribution)) lines.push(attribution, '')
    lines.push(part === 'quote' ? `> ${text}` : text)
    before = part
  }
  return lines.join('\n')
}

const programs = {
  Gmail: (language: MailLanguage, blocks: readonly Block[]) => {
    const first = blocks.findIndex(([part]) => part === 'quote')
    const div = ([, text]: Block) => `<div>${escaped(text)}</div>`
    const attribution = `<div dir="ltr" class="gmail_attr">${escaped(language.gmail)}<br></div>`
    const quote = 'class="gmail_quote" style="margin:0px 0px 0px 0.8ex"'
    const rest = blocks.slice(first)
    const html = [
      `<div dir="ltr">${blocks.slice(0, first).map(div).join('')}</div><br>`,
      `<div class="gmail_quote gmail_quote_container">${attribution}`,
      ...rest.map((block) =>
        block[0] === 'quote' ? `<blockquote ${quote}>${div(block)}</blockquote>` : div(block),
      ),
      '</div>',
    ].join('')
    return alternatives(language, textOf(blocks, wrapped(language.gmail)), html)
  },
  'Apple Mail': (language: MailLanguage, blocks: readonly Block[]) => {
    const first = blocks.findIndex(([part]) => part === 'quote')
    const elements = blocks.map(([part, text], index) => {
      const attribution = `<blockquote type="cite"><div>${escaped(language.apple)}</div></blockquote><br>`
      const start = index === first ? attribution : ''
      return part === 'quote'
        ? `${start}<blockquote type="cite"><div>${escaped(text)}</div></blockquote>`
        : `<div>${escaped(text)}</div>`
    })
    const text = textOf(blocks, language.apple, '\n\n')
    return alternatives(language, text, `<html><body>${elements.join('')}</body></html>`)
  },
  Thunderbird: (language: MailLanguage, blocks: readonly Block[]) =>
    [
      ...headers(language),
      'Content-Type: text/plain; charset=UTF-8; format=flowed',
      '',
      textOf(blocks, language.thunderbird, '').replace(
        `${language.thunderbird}\n\n`,
        `${language.thunderbird}\n`,
      ),
      '-- ',
      'Eve Outside',
    ].join('\n'),
}

const topPostingPrograms = {
  Outlook: (language: MailLanguage) => {
    const { answers, questions, outlook } = language
    const [from, sent, to, subject] = outlook
    const values = ['Ada Byron <ada@old.example>', '2026-11-02 09:00', 'Eve Outside', 'Party']
    const fields = [from, sent, to, subject].map((name, index) => [name, values[index] ?? ''])
    const text = [
      ...answers,
      '',
      ...fields.map(([name, value]) => `${name}: ${value}`),
      '',
      ...questions,
    ].join('\n')
    const html = [
      ...answers.map((line) => `<p class="MsoNormal">${escaped(line)}</p>`),
      '<div style="border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal">',
      fields.map(([name, value]) => `<b>${name}:</b> ${escaped(value ?? '')}`).join('<br>'),
      '</p></div>',
      ...questions.map((line) => `<p class="MsoNormal">${escaped(line)}</p>`),
    ].join('\n')
    return alternatives(language, text, html)
  },
  'Outlook on the web': (language: MailLanguage) => {
    const { answers, questions, outlook } = language
    const html = [
      ...answers.map((line) => `<div class="elementToProof">${escaped(line)}</div>`),
      '<div id="appendonsend"></div><hr style="width:98%"><div id="divRplyFwdMsg" dir="ltr">',
      `<b>${outlook[0]}:</b> Ada Byron<br><b>${outlook[3]}:</b> Party</div>`,
      ...questions.map((line) => `<div>${escaped(line)}</div>`),
    ].join('')
    return [...headers(language), 'Content-Type: text/html; charset=utf-8', '', html].join('\n')
  },
  'Yahoo Mail': (language: MailLanguage) => {
    const { answers, questions, yahoo } = language
    const text = [...answers.map((line) => ` ${line}`), '', `    ${yahoo}  `, ' ', ...questions]
    const html = [
      '<div class="ydp1yahoo-style-wrap" dir="ltr">',
      ...answers.map((line) => `<div dir="ltr" data-setdir="false">${escaped(line)}</div>`),
      '</div><div id="ydp2yahoo_quoted_3" class="ydp2yahoo_quoted"><div style="color:#26282a;">',
      `<div>\n ${escaped(yahoo)}\n</div><div><br></div><div><br></div>`,
      ...questions.map((line) => `<div dir="ltr">${escaped(line)}</div>`),
      '</div></div>',
    ].join('')
    return alternatives(language, text.join('\n'), html)
  },
  'Yahoo Mail on an iPhone': (language: MailLanguage) => {
    const { answers, questions } = language
    const [sent, attribution] = [sentFromYahoo(language), yahooApp(language)]
    const text = [...answers, '', '', sent, '', '', attribution, '', ...questions].join('\n')
    const html = [
      ...answers.map((line) => `<div>${escaped(line)}</div>`),
      `<br><div id="ymail_ios_signature"><a href="https://yahoo.example/">${sent}</a></div><br>`,
      `<p class="yahoo-quoted-begin" style="color: #715FFA">${escaped(attribution)}</p>`,
      '<blockquote class="iosymail"><div>',
      ...questions.map((line) => `<div>${escaped(line)}</div>`),
      '</div></blockquote>',
    ].join('')
    return alternatives(language, text, html)
  },
  'Yahoo Mail on Android': (language: MailLanguage) => {
    const { answers, questions } = language
    const [sent, attribution] = [sentFromYahoo(language), yahooApp(language)]
    const [first, ...rest] = questions
    const text = [...answers, '', sent, ' ', ` ${attribution}   ${first}`, ...rest].join('\n')
    const html = [
      ...answers.map((line) => `<div>${escaped(line)}</div>`),
      `<br><div id="ymail_android_signature"><a href="https://yahoo.example/">${sent}</a></div>`,
      '<blockquote style="margin: 0 0 20px 0;"><div style="font-family:Roboto; color:#6D00F6;">',
      `<div>${escaped(attribution).replace('&lt;', '</div><div>&lt;')}</div></div>`,
      '<div style="border-left: 1px solid #6D00F6;">',
      ...questions.map((line) => `<div>${escaped(line)}</div>`),
      '</div></blockquote>',
    ].join('')
    return alternatives(language, text, html)
  },
  iPhone: ({ answers, questions, apple, sentFromPhone, subjectPrefix }: MailLanguage) => {
    const quote = [apple, '', ...questions].map((line) => `> ${line}`.trimEnd())
    return [
      ...headers({ subjectPrefix }),
      'Content-Type: text/plain; charset=utf-8',
      '',
      ...answers,
      '',
      sentFromPhone,
      '',
      ...quote,
    ].join('\n')
  },
}

function sentFromYahoo({ sentFromPhone }: MailLanguage): string {
  return sentFromPhone.replace('iPhone', 'Yahoo Mail for iPhone')
}

/** The apps write neither seconds nor the zone. */
function yahooApp({ yahoo }: MailLanguage): string {
  return yahoo.replace(/(?<=\d:\d\d):00( AM)? [A-Z]{3}\S*?(?=,|、| )/, '$1')
}

function headers({ subjectPrefix }: Pick<MailLanguage, 'subjectPrefix'>): string[] {
  return [
    'From: Eve Outside <eve@outside.example>',
    `Subject: =?utf-8?B?${Buffer.from(`${subjectPrefix} Party`).toString('base64')}?=`,
    'In-Reply-To: <1@old.example>',
    'MIME-Version: 1.0',
  ]
}

function alternatives(language: MailLanguage, text: string, html: string): string {
  return [
    ...headers(language),
    'Content-Type: multipart/alternative; boundary=x',
    '',
    `--x\nContent-Type: text/plain; charset=utf-8\n\n${text}\n`,
    `--x\nContent-Type: text/html; charset=utf-8\n\n${html}\n--x--`,
  ].join('\n')
}

/** Gmail breaks lines of plain text. */
function wrapped(line: string): string {
  if (line.length <= 70) return line
  const end = line.lastIndexOf(' ', 70)
  return `${line.slice(0, end)}\n${line.slice(end + 1)}`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
