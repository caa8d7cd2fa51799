/** The credentials of the client's user, or of a visitor. */
export type Credentials =
  /** The user who is logged in to the product: the browser sends its cookies. */
  | { readonly type: 'session' }
  /** A user's address and API key. */
  | { readonly type: 'apiKey'; readonly email: string; readonly apiKey: string }
  /**
   * Somebody without an account, who reads the web-public channels of an organization that allows
   * it. No cookies are sent, and nothing can be written.
   */
  | { readonly type: 'visitor' }
  /**
   * The `Authorization` header, or undefined for none. Called before the first request, and again
   * after the server has refused the header; several requests wait for the same call.
   */
  | { readonly type: 'provider'; readonly authorization: () => Promise<string | undefined> }

/** The `Authorization` header of requests. */
export class Authorization {
  readonly #credentials: Credentials
  #provided: Promise<string | undefined> | undefined

  constructor(credentials: Credentials) {
    this.#credentials = credentials
  }

  /** Whether the browser sends its cookies. */
  get sendsCookies(): boolean {
    return this.#credentials.type === 'session'
  }

  /** The same promise until {@link refused} is called with its value. */
  async header(): Promise<string | undefined> {
    const credentials = this.#credentials
    switch (credentials.type) {
      case 'session':
      case 'visitor':
        return undefined
      case 'apiKey':
        return `Basic ${base64(`${credentials.email}:${credentials.apiKey}`)}`
      case 'provider': {
        const provided = (this.#provided ??= credentials.authorization())
        try {
          return await provided
        } catch (error) {
          if (this.#provided === provided) this.#provided = undefined
          throw error
        }
      }
    }
  }

  /**
   * Notes that the server has refused a header.
   *
   * @returns whether another one may be provided.
   */
  async refused(header: string | undefined): Promise<boolean> {
    const provided = this.#provided
    if (provided === undefined) return false
    const present = await provided.catch(() => undefined)
    // Another request may have replaced it already.
    if (present === header && this.#provided === provided) this.#provided = undefined
    return true
  }
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
