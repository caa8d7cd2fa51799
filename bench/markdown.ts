import { pathToFileURL } from 'node:url'
import MarkdownIt from 'markdown-it'
import {
  compileLinkifiers,
  highlightCode,
  renderMarkdown,
  type MarkdownContext,
} from '../packages/core/src/markdown/index.js'

/** One line of the report: what the floor takes, what we take, and how they compare. */
export interface BenchRow {
  readonly name: string
  readonly floor: number
  readonly ours: number
  readonly unit: string
  readonly ratio: number
  readonly aim: string
}

const rounds = 31
const repetitions = 6
const messageCount = 240
const pathologicalLength = 10_000

const context = makeContext()
const markdownIt = new MarkdownIt()

/**
 * Microseconds per message. The floor is bare markdown-it on the same messages in the same run: it
 * does less (no mentions, emoji, channels or side data), so it is what a renderer costs at least.
 */
export async function run(): Promise<BenchRow[]> {
  return [
    compare('chat messages', chatMessages(), '≤ 1.5'),
    compare(
      'plain sentences',
      sentences.map((text) => `${text}.`),
      '≤ 1.5',
    ),
    measureAlone('highlighted code (20 lines)', [fence('py', pythonLines)], 'shown'),
    measureAlone('plain code (20 lines)', [fence('text', pythonLines)], 'shown'),
    measureAlone('mathematics (3 formulas)', [formulas], 'shown'),
    ...Object.entries(pathologicalMessages()).map(([name, message]) => measureWorst(name, message)),
  ]
}

function compare(name: string, messages: readonly string[], aim: string): BenchRow {
  const floors: number[] = []
  const ours: number[] = []
  renderAll(messages)
  for (let round = 0; round < rounds; round += 1) {
    floors.push(
      microsecondsPer(messages.length * repetitions, () => {
        for (let count = 0; count < repetitions; count += 1) {
          for (const message of messages) markdownIt.render(message)
        }
      }),
    )
    ours.push(
      microsecondsPer(messages.length * repetitions, () => {
        for (let count = 0; count < repetitions; count += 1) renderAll(messages)
      }),
    )
  }
  // The two are timed right after each other, so each round has a fair ratio of its own even when
  // the machine is busy with something else for a while.
  const ratio = median(ours.map((value, round) => value / floors[round]!))
  return { name, floor: median(floors), ours: median(ours), unit: 'µs', ratio, aim }
}

function measureAlone(name: string, messages: readonly string[], aim: string): BenchRow {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    times.push(
      microsecondsPer(repetitions * messages.length, () => {
        for (let count = 0; count < repetitions; count += 1) renderAll(messages)
      }),
    )
  }
  return { name, floor: Number.NaN, ours: median(times), unit: 'µs', ratio: Number.NaN, aim }
}

function measureWorst(name: string, message: string): BenchRow {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    times.push(microsecondsPer(1_000, () => renderAll([message])))
  }
  const ours = median(times)
  return { name: `10 kB of ${name}`, floor: 50, ours, unit: 'ms', ratio: ours / 50, aim: '< 1' }
}

function renderAll(messages: readonly string[]): void {
  for (const message of messages) renderMarkdown(message, context)
}

function microsecondsPer(count: number, work: () => void): number {
  const start = performance.now()
  work()
  return ((performance.now() - start) * 1_000) / count
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]!
}

const sentences = [
  'The seedlings went out this morning and the slugs found them by noon',
  'Can someone water the far beds before the weekend',
  'I moved the compost heap behind the shed',
  'Thanks, that worked',
  'We are out of twine again, and the big shears need sharpening',
  'ok',
  'Who has the key for the tool box? It was on the hook yesterday',
  'Rain all week, so the market is on Thursday instead of Tuesday',
  'The second batch looks better than the first, maybe because of the new soil mix',
  'See you at nine',
]

const templates: readonly ((first: string, second: string) => string)[] = [
  (first) => `${first}.`,
  (first, second) => `${first}. ${second}!`,
  (first) => `@**Mira Okafor** ${first}?`,
  (first, second) =>
    `@_**Mira Okafor|31** [said](https://chat.example.test/#narrow/near/7):\n> ${first}\n> ${second}\n\nAgreed :+1:`,
  (first) => `${first} :octopus: :tada:`,
  (first) => `${first}, see https://soil.example/beds/4?row=2#end.`,
  (first, second) => `${first}:\n* ${second}\n* twine\n* **shears**\n  * the big ones`,
  (first, second) => `1. ${first}\n2. ${second}\n3. done`,
  (first, second) => `> ${first}\n\n${second}`,
  (first) => `**${first}** and *now*, or \`git push\` ~~later~~`,
  (first) => `#**garden>weekend plans** ${first} 🌱`,
  (first, second) => `${first}\n${second}\n\n[notes](https://soil.example/notes) and PLOT-12`,
  (first) => `@*night crew* ${first} <time:2031-04-09T18:30:00+02:00>`,
  (first, second) => `### ${first}\n\n${second}`,
]

/** Short messages of a lively channel: mostly sentences, many mentions, some structure. */
function chatMessages(): string[] {
  const messages: string[] = []
  for (let index = 0; messages.length < messageCount; index += 1) {
    const template = templates[index % templates.length]!
    const first = sentences[index % sentences.length]!
    const second = sentences[(index * 7 + 3) % sentences.length]!
    messages.push(template(first, second))
  }
  return messages
}

const pythonLines = Array.from(
  { length: 20 },
  (_, index) => `def bed_${index}(rows, name="leek"):  return [row * ${index} for row in rows]`,
)

const formulas =
  'Area $$\\pi r^2$$ of $$\\sum_{i=1}^n b_i$$\n\n```math\n\\frac{a}{b} + \\sqrt{c}\n```'

function fence(language: string, lines: readonly string[]): string {
  return `\`\`\`${language}\n${lines.join('\n')}\n\`\`\``
}

function pathologicalMessages(): Record<string, string> {
  const fill = (unit: string): string => unit.repeat(pathologicalLength / unit.length)
  return {
    'nested quotes': fill('>'),
    brackets: fill('['),
    'unclosed links': fill('[a]('),
    stars: fill('*'),
    'opened emphasis': fill('*a '),
    backticks: fill('`a``'),
    mentions: fill('@**a'),
    'real mentions': fill('@**Mira Okafor** '),
    'list marks': fill('* '),
    items: fill('* a\n'),
    'list levels': listLevels(),
    'table bars': `|${fill('a|').slice(0, 5_000)}\n|${fill('-|').slice(0, 5_000)}`,
    addresses: fill('http://a.com/('),
    'quote fences': fill('```quote\n'),
  }
}

/** Items that are each nested in the one before. */
function listLevels(): string {
  let message = ''
  for (let level = 0; message.length < pathologicalLength; level += 1) {
    message += `${'  '.repeat(level)}* a\n`
  }
  return message.slice(0, pathologicalLength)
}

function makeContext(): MarkdownContext {
  const user = { id: 31, fullName: 'Mira Okafor', isActive: true }
  const group = { id: 17, name: 'night crew', isActive: true }
  const channel = { id: 9, name: 'garden' }
  const users = new Map([['mira okafor', user]])
  return {
    organizationUrl: 'https://chat.example.test',
    settings: {
      previewsImages: true,
      defaultCodeBlockLanguage: '',
      translatesEmoticons: false,
      emptyTopicDisplayName: 'general chat',
      maxMessageLength: pathologicalLength,
    },
    now: new Date('2031-04-09T10:00:00Z'),
    findUser: (id) => (id === user.id ? user : undefined),
    findUserByName: (name) => users.get(name.toLowerCase()),
    findGroupByName: (name) => (name === group.name ? group : undefined),
    findChannelByName: (name) => (name === channel.name ? channel : undefined),
    findLatestMessageId: () => 733,
    findCustomEmoji: () => undefined,
    findUpload: () => undefined,
    linkifiers: compileLinkifiers([
      { pattern: 'PLOT-(?P<id>[0-9]{1,6})', urlTemplate: 'https://plots.example/p/{id}' },
    ]),
    highlight: highlightCode,
  }
}

function formatRow({ name, floor, ours, unit, ratio, aim }: BenchRow): string {
  const cells = [floor, ours].map((value) =>
    Number.isNaN(value) ? '' : `${value.toFixed(1)} ${unit}`,
  )
  const shownRatio = Number.isNaN(ratio) ? '' : ratio.toFixed(2)
  return [
    name.padEnd(30),
    ...cells.map((cell) => cell.padStart(12)),
    shownRatio.padStart(8),
    aim.padStart(8),
  ].join('')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const header = ['Markdown'.padEnd(30), ...['floor', 'ours'].map((cell) => cell.padStart(12))]
  console.log([...header, 'ratio'.padStart(8), 'aim'.padStart(8)].join(''))
  for (const row of await run()) console.log(formatRow(row))
}
