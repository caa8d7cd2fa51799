import { Readable } from 'node:stream'

import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import { ChatError } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { namedText, type NamedText } from '../../../texts/index.js'
import { UploadService } from '../../files/uploads/index.js'
import type { MailFile } from './mail-files.js'

/** Further files of a mail are left out. */
const maxFiles = 20
/** Leaves space for the links of all files in a message. */
const maxNameLength = 100

/** Stores the files of mails as uploads. */
@perServer()
export class IncomingFiles {
  constructor(@inject(UploadService) private readonly uploads: UploadService) {}

  /**
   * @returns a line of Markdown for each file, and a note for those that were not stored: because
   *   they are too large, too many, or the quota is used up.
   */
  async store(
    actor: Actor,
    files: readonly MailFile[],
  ): Promise<{ readonly links: readonly string[]; readonly note: NamedText | undefined }> {
    const links: string[] = []
    for (const file of files.slice(0, maxFiles)) {
      const link = await this.#store(actor, file)
      if (link !== undefined) links.push(link)
    }
    const left = files.length - links.length
    return {
      links,
      note: left === 0 ? undefined : namedText('INCOMING_MAIL_FILES_LEFT', { count: left }),
    }
  }

  async #store(
    actor: Actor,
    { name, contentType, content }: MailFile,
  ): Promise<string | undefined> {
    if (content.length > this.uploads.maxFileBytes) return undefined
    const received = await this.uploads.receive(actor.organizationId, {
      fileName: name.slice(-maxNameLength),
      contentType,
      content: Readable.from([content]),
    })
    try {
      const { url, filename } = await this.uploads.upload(actor, received, 1)
      return linkOf(url, filename)
    } catch (error) {
      if (error instanceof ChatError) return undefined
      throw error
    }
  }
}

function linkOf(url: string, filename: string): string {
  const label = filename.replaceAll('[', '(').replaceAll(']', ')').replaceAll(/\s/g, ' ')
  return `[${label}](${url})`
}
