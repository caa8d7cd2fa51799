import type { Readable } from 'node:stream'

import { DocumentReply, FileReply, SerializedReply } from '../operation.js'

/** A file that an operation returns. */
export interface ReturnedFile {
  readonly contentType: string
  /** A stream must be read to its end, or destroyed. */
  readonly content: Buffer | Readable
}

/** The result as a client would parse it: the caller may change it, and owns it. */
export function plainResult(result: unknown): unknown {
  if (result instanceof FileReply) {
    const file: ReturnedFile = { contentType: result.contentType, content: result.content }
    return file
  }
  if (result instanceof DocumentReply) return JSON.parse(result.json.toString())
  if (result instanceof SerializedReply) {
    const {
      result: _result,
      msg: _msg,
      ...payload
    } = JSON.parse(result.json.toString()) as Record<string, unknown>
    return payload
  }
  return JSON.parse(JSON.stringify(result ?? {}))
}
