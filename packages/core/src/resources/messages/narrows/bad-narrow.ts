import { ChatError, namedText, type NamedText } from '../../../errors/index.js'

/** `BAD_NARROW` with this problem; the text of its field is English for every client. */
export function badNarrow(problem: NamedText): ChatError {
  return new ChatError('BAD_NARROW', {
    text: namedText('BAD_NARROW', { desc: problem }),
    fields: { desc: problem.toString() },
  })
}
