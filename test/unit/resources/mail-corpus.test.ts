import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { textOfMail } from '../../../packages/core/src/resources/notifications/incoming-mail/mail-message.js'
import { parseMail } from '../../../packages/core/src/resources/notifications/incoming-mail/mail-parser.js'
import { repliesOfPrograms } from '../../support/mail-corpus.js'
import { furtherMails } from '../../support/further-mails.js'
import { mailsOfOtherPrograms } from '../../support/other-programs-mails.js'
import { rawOf, specialMails } from '../../support/special-mails.js'

describe('the text of replies of mail programs', () => {
  for (const { title, raw, written, isOnly } of repliesOfPrograms()) {
    it(`is what was written: ${title}`, async () => {
      const mail = await parseMail(Buffer.from(raw))
      const parts = [mail, { ...mail, html: undefined }, { ...mail, text: undefined }]
      for (const part of parts.filter(({ text, html }) => (text ?? '') + (html ?? '') !== '')) {
        const text = await textOfMail(part, new Set())
        const lines = shownLines(text)
        for (const line of written) assert.ok(lines.includes(line), `${line}\nin\n${text}`)
        if (isOnly) assert.deepEqual(lines, written)
        if (isOnly) assert.ok(!text.includes('>'), text)
        assert.ok(!text.includes('Byron'), text)
      }
    })
  }
})

describe('the text of other mails', () => {
  for (const special of [...specialMails, ...mailsOfOtherPrograms, ...furtherMails]) {
    it(`is what was written: ${special.title}`, async () => {
      const text = await textOfMail(await parseMail(Buffer.from(rawOf(special))), new Set())

      const { remains = special.text ?? '' } = special
      if (remains.endsWith('…')) assert.ok(text.startsWith(remains.slice(0, -1)), text)
      else assert.deepEqual(linesOf(text), linesOf(remains))
    })
  }
})

/** The lines that Markdown does not show as part of a quote. */
function shownLines(text: string): string[] {
  return text.split('\n\n').flatMap((paragraph) => {
    const [own = ''] = paragraph.split(/^>/m)
    return linesOf(own)
  })
}

/** Blank lines and indentation may differ. */
function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
