import type { ChatClient, Credentials } from '@parley/client'

import { after, now } from '../timers.js'

/** So many files fit into one request. */
const maxPaths = 500
/** Addresses of other files are asked for again. */
const maxKnown = 1000
/** A picture that is shown now may be opened a little later. */
const marginMilliseconds = 60_000

interface Known {
  readonly address: Promise<string>
  until: number
}

/** Files of messages. Browsers send the session's cookies for them, but no API key. */
export class Files {
  readonly #client: ChatClient
  readonly #url: URL
  readonly #needsKey: boolean
  readonly #known = new Map<string, Known>()
  /** Those that the next request asks for. */
  readonly #wanted = new Map<string, (address: string | undefined) => void>()
  #cancel: (() => void) | undefined

  constructor(client: ChatClient, url: string, credentials: Credentials) {
    this.#client = client
    this.#url = new URL(url)
    this.#needsKey = !['session', 'visitor'].includes(credentials.type)
  }

  /** Sets the address of a picture or a recording, at once or when it is known. */
  show(element: HTMLImageElement | HTMLMediaElement, url: URL): void {
    const address = this.openable(url)
    if (address === undefined) element.src = url.href
    else {
      address.then(
        (text) => (element.src = text),
        // The browser shows the alternative text.
        () => element.setAttribute('src', 'data:,'),
      )
    }
  }

  /** The address of a file to open; undefined if that of its link is enough. */
  openable(url: URL): Promise<string> | undefined {
    const base = this.#url.pathname.replace(/\/$/, '')
    const isUpload =
      url.origin === this.#url.origin &&
      url.pathname.startsWith(`${base}/`) &&
      url.pathname.slice(base.length).split('/')[1] === 'user_uploads'
    if (!this.#needsKey || !isUpload) return undefined
    const path = url.pathname
    const known = this.#known.get(path)
    if (known !== undefined && known.until > now()) return known.address
    return this.#ask(path)
  }

  close(): void {
    this.#cancel?.()
    this.#known.clear()
    this.#wanted.clear()
  }

  #ask(path: string): Promise<string> {
    const address = new Promise<string>((resolve, reject) => {
      this.#wanted.set(path, (found) => {
        if (found === undefined) reject(new Error('The file cannot be read'))
        else resolve(new URL(found, this.#url).href)
      })
    })
    const [oldest] = this.#known.keys()
    if (this.#known.size >= maxKnown && oldest !== undefined) this.#known.delete(oldest)
    // Until the answer says how long it is valid.
    this.#known.set(path, { address, until: Infinity })
    address.catch(() => this.#known.delete(path))
    // All files that are rendered together are one request.
    this.#cancel ??= after(0, () => void this.#send())
    return address
  }

  async #send(): Promise<void> {
    this.#cancel = undefined
    const wanted = [...this.#wanted].slice(0, maxPaths)
    for (const [path] of wanted) this.#wanted.delete(path)
    if (this.#wanted.size > 0) this.#cancel = after(0, () => void this.#send())
    const paths = wanted.map(([path]) => path)
    const answer = await this.#client.api
      .getFileTemporaryUrls({ paths })
      .catch(() => ({ urls: {}, validity_seconds: 0 }))
    const urls: Readonly<Record<string, string>> = answer.urls
    const until = now() + answer.validity_seconds * 1000 - marginMilliseconds
    for (const [path, resolve] of wanted) {
      const known = this.#known.get(path)
      if (known !== undefined) known.until = until
      resolve(urls[path])
    }
  }
}
