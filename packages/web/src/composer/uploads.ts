import { FileTooLargeError } from '@parley/client'
import { html, nothing, type ReactiveController, type TemplateResult } from 'lit'

import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { icon } from '../view/icons.js'
import { reasonOf } from '../view/reason.js'
import type { View } from '../view/view.js'

interface Upload {
  readonly name: string
  readonly ending: AbortController
  /** 0 to 1. */
  share: number
}

/** Files on their way to the server. */
export class Uploads implements ReactiveController {
  readonly #view: View
  readonly #done: (markdown: string) => void
  readonly #running = new Set<Upload>()
  #problem = ''

  /** @param done gets the Markdown of each file. */
  constructor(view: View, done: (markdown: string) => void) {
    this.#view = view
    this.#done = done
    view.addController(this)
  }

  hostDisconnected(): void {
    for (const { ending } of this.#running) ending.abort()
  }

  add(files: Iterable<File>, session: Session): void {
    this.#problem = ''
    for (const file of files) void this.#upload(file, session)
    this.#view.requestUpdate()
  }

  async #upload(file: File, session: Session): Promise<void> {
    const upload: Upload = { name: file.name, ending: new AbortController(), share: 0 }
    this.#running.add(upload)
    const { signal } = upload.ending
    try {
      const { url, filename } = await session.client.upload(file, {
        signal,
        onProgress: (share) => {
          upload.share = share
          this.#view.requestUpdate()
        },
      })
      this.#done(`[${filename.replaceAll(/[[\]]/g, '')}](${url})`)
    } catch (error) {
      if (signal.aborted) return
      this.#problem =
        error instanceof FileTooLargeError
          ? texts.tooLarge(file.name, error.maxMebibytes)
          : `${texts.uploadFailed(file.name)} ${reasonOf(error)}`
    } finally {
      this.#running.delete(upload)
      this.#view.requestUpdate()
    }
  }

  render(): TemplateResult | typeof nothing {
    if (this.#running.size === 0 && this.#problem === '') return nothing
    return html`<div class="uploads">
      ${[...this.#running].map(
        ({ name, share, ending }) =>
          html`<div class="upload">
            <span>${name}</span>
            <progress aria-label=${texts.uploading(name)} max="1" .value=${share}></progress>
            <button
              class="quiet"
              aria-label=${texts.cancelUpload(name)}
              @click=${() => ending.abort()}
            >
              ${icon('x')}
            </button>
          </div>`,
      )}
      <span class="problem" role="status">${this.#problem}</span>
    </div>`
  }
}
